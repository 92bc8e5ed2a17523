"""PyTorch's times for the shapes of the bench `network`, on one thread or a GPU: a training step of the bench batch, and
judging tests in padded batches. Lines of `name: figure`."""

import argparse
import statistics
import time

import torch
from torch import nn

TESTS_TOGETHER = 64


class Network(nn.Module):
    """The paper's network behind its embeddings."""

    def __init__(self, inputs, width, hidden):
        super().__init__()
        self.embed = nn.Linear(inputs, width)
        self.norm = nn.LayerNorm(width)
        self.lstm = nn.LSTM(width, hidden, 2, batch_first=True)
        self.score = nn.Linear(hidden, 1, bias=False)
        self.dense = nn.Linear(hidden, 2 * hidden)
        self.classes = nn.Linear(2 * hidden, 2)

    def forward(self, tuples, last, present):  # [tests, paths, steps, inputs], [tests, paths], [tests, paths]
        tests, paths, steps, _ = tuples.shape
        embedded = torch.tanh(self.norm(self.embed(tuples)))
        states, _ = self.lstm(embedded.view(tests * paths, steps, -1))
        ends = states[torch.arange(tests * paths), last.view(-1)].view(tests, paths, -1)
        scores = self.score(ends).masked_fill(~present.unsqueeze(2), -1e9)
        test = (torch.softmax(scores, dim=1) * ends).sum(dim=1)
        return self.classes(torch.relu(self.dense(test)))


def median_ms(step, repeats=7, warm_ups=2):
    times = []
    for _ in range(warm_ups + repeats):
        start = time.perf_counter()
        step()
        if torch.get_default_device().type == "cuda":
            torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times[warm_ups:])


def training_step(tests, paths, steps):
    network = Network(512, 384, 128)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    tuples = torch.randn(tests, paths, steps, 512)
    last = torch.full((tests, paths), steps - 1)
    present = torch.ones(tests, paths, dtype=torch.bool)
    labels = torch.randint(0, 2, (tests,))

    def step():
        optimizer.zero_grad()
        nn.functional.cross_entropy(network(tuples, last, present), labels).backward()
        optimizer.step()

    return median_ms(step)


def judging(lengths, width, hidden, members):
    """Milliseconds for all tests, padded to the longest path and the most paths of each batch."""
    network = Network(2 * width, width, hidden)
    table = torch.randn(20_000, 2 * width)
    total = 0.0
    for first in range(0, len(lengths), TESTS_TOGETHER):
        batch = lengths[first : first + TESTS_TOGETHER]
        paths = max(len(own) for own in batch)
        steps = max(max(own, default=1) for own in batch)
        last = torch.zeros(len(batch), paths, dtype=torch.long)
        present = torch.zeros(len(batch), paths, dtype=torch.bool)
        for at, own in enumerate(batch):
            last[at, : len(own)] = torch.tensor(own) - 1
            present[at, : len(own)] = True
        present[:, 0] = True
        rows = torch.randint(0, len(table), (len(batch), paths, steps))
        start = time.perf_counter()
        with torch.inference_mode():
            for _ in range(members):
                network(table[rows], last, present)
        total += (time.perf_counter() - start) * 1e3
    return total


def matrix_product():
    left, right = torch.randn(2048, 2048), torch.randn(2048, 2048)
    return 2 * 2048**3 / (median_ms(lambda: left @ right) * 1e6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", default="64x36x8", help="tests x paths x steps")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--lengths", help="a line a test: the steps of its paths")
    parser.add_argument("--tuple", type=int, default=64)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--members", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_default_device(options.device)
    torch.manual_seed(0)
    print(f"torch matrix product, GFLOP/s: {matrix_product():.1f}")
    print(f"torch training step, ms: {training_step(*map(int, options.batch.split('x'))):.1f}")
    if options.lengths:
        with open(options.lengths, encoding="ascii") as file:
            lengths = [[int(it) for it in line.split()] for line in file]
        print(f"torch judging, ms: {judging(lengths, options.tuple, options.hidden, options.members):.1f}")


if __name__ == "__main__":
    main()
