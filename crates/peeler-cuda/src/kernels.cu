// The kernels of `peeler-cuda`. All matrices are row-major. A kernel with the argument `onto` adds its result to what
// is there, if `onto` is not zero. What is not a number stays none, so that a training that diverges is noticed.
//
// Every sum is taken in a fixed order, so the same input gives the same bits.

typedef unsigned int u32;
typedef unsigned long long u64;

const u32 WARP = 32;

__device__ float sum_of_warp(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffff, value, apart);
    return value;
}

__device__ float largest_of_warp(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, apart));
    return value;
}

// Sums over a block of at most 1,024 threads. `room` has an element for each warp.
__device__ float sum_of_block(float value, float* room) {
    value = sum_of_warp(value);
    __syncthreads();
    if (threadIdx.x % WARP == 0) room[threadIdx.x / WARP] = value;
    __syncthreads();
    float sum = 0.0f;
    for (u32 warp = 0; warp < blockDim.x / WARP; warp++) sum += room[warp];
    return sum;
}

__device__ float largest_of_block(float value, float* room) {
    value = largest_of_warp(value);
    __syncthreads();
    if (threadIdx.x % WARP == 0) room[threadIdx.x / WARP] = value;
    __syncthreads();
    float largest = room[0];
    for (u32 warp = 1; warp < blockDim.x / WARP; warp++) largest = fmaxf(largest, room[warp]);
    return largest;
}

__device__ void put(float* target, float value, u32 onto) { *target = onto ? *target + value : value; }

__device__ float logistic(float x) { return 1.0f / (1.0f + expf(-x)); }

// --- weighted sums of rows ---

// A warp for each list. `weights` may be null, for ones.
extern "C" __global__ void sum_short_lists(float* out, const float* table, const u32* starts, const u32* rows,
                                           const float* weights, u32 lists, u32 width, u32 onto) {
    u32 list = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    if (list >= lists) return;
    u32 first = starts[list], end = starts[list + 1];
    for (u32 column = threadIdx.x % WARP; column < width; column += WARP) {
        float sum = 0.0f;
        for (u32 at = first; at < end; at++) {
            float weight = weights ? weights[at] : 1.0f;
            sum += weight * table[(u64)rows[at] * width + column];
        }
        put(&out[(u64)list * width + column], sum, onto);
    }
}

// A block of 32 x 16 threads for each list and each 32 columns.
extern "C" __global__ void sum_long_lists(float* out, const float* table, const u32* starts, const u32* rows,
                                          const float* weights, u32 lists, u32 width, u32 onto) {
    __shared__ float parts[16][WARP];
    u32 list = blockIdx.x, column = blockIdx.y * WARP + threadIdx.x;
    u32 first = starts[list], end = starts[list + 1];
    float sum = 0.0f;
    if (column < width) {
        for (u32 at = first + threadIdx.y; at < end; at += 16) {
            float weight = weights ? weights[at] : 1.0f;
            sum += weight * table[(u64)rows[at] * width + column];
        }
    }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= width) return;
    for (u32 part = 1; part < 16; part++) sum += parts[part][threadIdx.x];
    put(&out[(u64)list * width + column], sum, onto);
}

// --- sums over all rows ---

// Sums of `left * right` (or of `left`, if `right` is null) over parts of the rows: `[parts, width]`.
extern "C" __global__ void column_parts(float* out, const float* left, const float* right, u32 rows, u32 width) {
    __shared__ float parts[8][WARP];
    u32 column = blockIdx.x * WARP + threadIdx.x;
    float sum = 0.0f;
    if (column < width) {
        for (u32 row = blockIdx.y * 8 + threadIdx.y; row < rows; row += gridDim.y * 8) {
            u64 at = (u64)row * width + column;
            sum += right ? left[at] * right[at] : left[at];
        }
    }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= width) return;
    for (u32 part = 1; part < 8; part++) sum += parts[part][threadIdx.x];
    out[(u64)blockIdx.y * width + column] = sum;
}

extern "C" __global__ void sum_parts(float* out, const float* parts, u32 count, u32 width, u32 onto) {
    u32 column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= width) return;
    float sum = 0.0f;
    for (u32 part = 0; part < count; part++) sum += parts[(u64)part * width + column];
    put(&out[column], sum, onto);
}

// --- element by element ---

extern "C" __global__ void add_scaled(float* out, const float* value, float factor, u64 count, u32 onto) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) put(&out[at], factor * value[at], onto);
}

extern "C" __global__ void add(float* out, const float* left, const float* right, u64 count) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) out[at] = left[at] + right[at];
}

extern "C" __global__ void add_row(float* out, const float* value, const float* row, u64 count, u32 width) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) out[at] = value[at] + row[at % width];
}

extern "C" __global__ void tanh_forward(float* out, const float* value, u64 count) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) out[at] = tanhf(value[at]);
}

extern "C" __global__ void tanh_backward(float* out, const float* gradient, const float* result, u64 count, u32 onto) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) put(&out[at], gradient[at] * (1.0f - result[at] * result[at]), onto);
}

extern "C" __global__ void relu_forward(float* out, const float* value, u64 count) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) out[at] = value[at] <= 0.0f ? 0.0f : value[at];
}

extern "C" __global__ void relu_backward(float* out, const float* gradient, const float* result, u64 count, u32 onto) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) put(&out[at], result[at] <= 0.0f ? 0.0f : gradient[at], onto);
}

// Keeps the elements whose bit is set, times `factor`. A bit decides over `shared` elements that follow each other.
extern "C" __global__ void keep_bits(float* out, const float* value, const u32* bits, float factor, u64 count,
                                     u32 shared, u32 onto) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    u64 bit = at / shared;
    bool is_set = bits[bit / 32] >> (bit % 32) & 1;
    put(&out[at], is_set ? value[at] * factor : 0.0f, onto);
}

// Copies `width` columns into those of a wider matrix that start at `first`.
extern "C" __global__ void put_columns(float* out, const float* value, u64 count, u32 width, u32 total, u32 first) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) out[at / width * total + first + at % width] = value[at];
}

extern "C" __global__ void take_columns(float* out, const float* value, u64 count, u32 width, u32 total, u32 first,
                                        u32 onto) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) put(&out[at], value[at / width * total + first + at % width], onto);
}

// --- layer normalisation ---

// A warp for each row: `result = tanh(scale * normal + shift)`.
extern "C" __global__ void normalise_forward(float* result, float* normal, float* inverse, const float* value,
                                             const float* scale, const float* shift, float epsilon, u32 rows,
                                             u32 width) {
    u32 row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= rows) return;
    const float* own = value + (u64)row * width;
    float sum = 0.0f;
    for (u32 column = lane; column < width; column += WARP) sum += own[column];
    float mean = sum_of_warp(sum) / width;
    float squares = 0.0f;
    for (u32 column = lane; column < width; column += WARP) squares += (own[column] - mean) * (own[column] - mean);
    float scaling = 1.0f / sqrtf(sum_of_warp(squares) / width + epsilon);
    if (lane == 0) inverse[row] = scaling;
    for (u32 column = lane; column < width; column += WARP) {
        float normalised = (own[column] - mean) * scaling;
        normal[(u64)row * width + column] = normalised;
        result[(u64)row * width + column] = tanhf(scale[column] * normalised + shift[column]);
    }
}

// Overwrites `gradient` with the gradient before `tanh`.
extern "C" __global__ void normalise_backward(float* out, float* gradient, const float* result, const float* normal,
                                              const float* inverse, const float* scale, u32 rows, u32 width, u32 onto) {
    u32 row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (row >= rows) return;
    u64 first = (u64)row * width;
    float sum = 0.0f, product = 0.0f;
    for (u32 column = lane; column < width; column += WARP) {
        u64 at = first + column;
        float before = gradient[at] * (1.0f - result[at] * result[at]);
        gradient[at] = before;
        sum += before * scale[column];
        product += before * scale[column] * normal[at];
    }
    sum = sum_of_warp(sum) / width;
    product = sum_of_warp(product) / width;
    for (u32 column = lane; column < width; column += WARP) {
        u64 at = first + column;
        put(&out[at], inverse[row] * (gradient[at] * scale[column] - sum - normal[at] * product), onto);
    }
}

// --- LSTM ---

// One time step. The gates are in the order input, forget, cell, output; their sums are overwritten with the activated
// gates. `before` is null in the first step.
extern "C" __global__ void lstm_forward(float* gates, float* cells, float* states, const float* before, u64 count,
                                        u32 hidden) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    float* own = gates + at / hidden * 4 * hidden + at % hidden;
    float input = logistic(own[0]), forget = logistic(own[hidden]);
    float cell = tanhf(own[2 * hidden]), output = logistic(own[3 * hidden]);
    own[0] = input;
    own[hidden] = forget;
    own[2 * hidden] = cell;
    own[3 * hidden] = output;
    float now = input * cell + (before ? forget * before[at] : 0.0f);
    cells[at] = now;
    states[at] = output * tanhf(now);
}

// `d_cells` holds the gradients of the cells from the next time step, and gets those for the time step before.
extern "C" __global__ void lstm_backward(float* d_gates, float* d_cells, const float* d_states, const float* gates,
                                         const float* cells, const float* before, u64 count, u32 hidden) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    u64 first = at / hidden * 4 * hidden + at % hidden;
    float input = gates[first], forget = gates[first + hidden];
    float cell = gates[first + 2 * hidden], output = gates[first + 3 * hidden];
    float bounded = tanhf(cells[at]), d_state = d_states[at];
    float d_cell = d_cells[at] + d_state * output * (1.0f - bounded * bounded);
    d_gates[first] = d_cell * cell * input * (1.0f - input);
    d_gates[first + hidden] = before ? d_cell * before[at] * forget * (1.0f - forget) : 0.0f;
    d_gates[first + 2 * hidden] = d_cell * input * (1.0f - cell * cell);
    d_gates[first + 3 * hidden] = d_state * bounded * output * (1.0f - output);
    d_cells[at] = d_cell * forget;
}

// --- attention ---

// A block for each group of rows: their sum, weighted by the softmax of their products with `query`.
extern "C" __global__ void attend_forward(float* out, float* weights, const float* values, const float* query,
                                          const u32* starts, const u32* members, u32 width) {
    __shared__ float room[WARP];
    u32 first = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    u32 lane = threadIdx.x % WARP;
    for (u32 at = first + threadIdx.x / WARP; at < end; at += blockDim.x / WARP) {
        const float* own = values + (u64)members[at] * width;
        float product = 0.0f;
        for (u32 column = lane; column < width; column += WARP) product += own[column] * query[column];
        product = sum_of_warp(product);
        if (lane == 0) weights[at] = product;
    }
    __syncthreads();
    float largest = -3e38f;
    for (u32 at = first + threadIdx.x; at < end; at += blockDim.x) largest = fmaxf(largest, weights[at]);
    largest = largest_of_block(largest, room);
    float sum = 0.0f;
    for (u32 at = first + threadIdx.x; at < end; at += blockDim.x) sum += expf(weights[at] - largest);
    sum = sum_of_block(sum, room);
    for (u32 at = first + threadIdx.x; at < end; at += blockDim.x) weights[at] = expf(weights[at] - largest) / sum;
    __syncthreads();
    for (u32 column = threadIdx.x; column < width; column += blockDim.x) {
        float total = 0.0f;
        for (u32 at = first; at < end; at++) total += weights[at] * values[(u64)members[at] * width + column];
        out[(u64)blockIdx.x * width + column] = total;
    }
}

// Adds to the gradients of the rows, and writes those of their scores. `products` has an element for each member.
extern "C" __global__ void attend_backward(float* d_values, float* d_scores, float* products, const float* gradient,
                                           const float* weights, const float* values, const float* query,
                                           const u32* starts, const u32* members, u32 width) {
    __shared__ float room[WARP];
    u32 first = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    u32 lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    const float* d_out = gradient + (u64)blockIdx.x * width;
    for (u32 at = first + warp; at < end; at += warps) {
        const float* own = values + (u64)members[at] * width;
        float product = 0.0f;
        for (u32 column = lane; column < width; column += WARP) product += own[column] * d_out[column];
        product = sum_of_warp(product);
        if (lane == 0) products[at] = product;
    }
    __syncthreads();
    float mean = 0.0f;
    for (u32 at = first + threadIdx.x; at < end; at += blockDim.x) mean += weights[at] * products[at];
    mean = sum_of_block(mean, room);
    for (u32 at = first + warp; at < end; at += warps) {
        float d_score = weights[at] * (products[at] - mean);
        if (lane == 0) d_scores[members[at]] = d_score;
        float* own = d_values + (u64)members[at] * width;
        for (u32 column = lane; column < width; column += WARP)
            own[column] += weights[at] * d_out[column] + d_score * query[column];
    }
}

// --- loss ---

// The probability of the second of two classes.
extern "C" __global__ void probabilities(float* out, const float* scores, u32 count) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) out[at] = logistic(scores[2 * at + 1] - scores[2 * at]);
}

// The mean cross-entropy of two classes in `loss[0]`, and the gradients of the scores. One block.
extern "C" __global__ void cross_entropy(float* loss, float* d_scores, const float* scores, const float* targets,
                                         u32 count) {
    __shared__ float room[WARP];
    float sum = 0.0f;
    for (u32 at = threadIdx.x; at < count; at += blockDim.x) {
        float stable = scores[2 * at], flaky = scores[2 * at + 1], target = targets[at];
        float largest = fmaxf(stable, flaky);
        float total = largest + logf(expf(stable - largest) + expf(flaky - largest));
        sum -= (1.0f - target) * (stable - total) + target * (flaky - total);
        d_scores[2 * at] = (expf(stable - total) - (1.0f - target)) / count;
        d_scores[2 * at + 1] = (expf(flaky - total) - target) / count;
    }
    sum = sum_of_block(sum, room);
    if (threadIdx.x == 0) loss[0] = sum / count;
}

// --- optimiser ---

extern "C" __global__ void square_parts(float* out, const float* value, u64 count) {
    __shared__ float room[WARP];
    float sum = 0.0f;
    u64 all = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += all) sum += value[at] * value[at];
    sum = sum_of_block(sum, room);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// AdamW. The gradient is scaled down to the norm `longest`; `squares` are parts of the square of its norm. `first` and
// `second` are the corrections of the two moments.
extern "C" __global__ void adamw(float* value, float* mean, float* square, const float* gradient, const float* squares,
                                 u32 parts, u64 count, float longest, float rate, float decay, float beta_1,
                                 float beta_2, float epsilon, float first, float second) {
    u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    float sum = 0.0f;
    for (u32 part = 0; part < parts; part++) sum += squares[part];
    float shorter = longest / (sqrtf(sum) + 1.1754944e-38f);
    float own = gradient[at] * (shorter > 1.0f ? 1.0f : shorter);
    float new_mean = beta_1 * mean[at] + (1.0f - beta_1) * own;
    float new_square = beta_2 * square[at] + (1.0f - beta_2) * own * own;
    mean[at] = new_mean;
    square[at] = new_square;
    float change = new_mean / first / (sqrtf(new_square / second) + epsilon);
    value[at] = value[at] * (1.0f - rate * decay) - rate * change;
}
