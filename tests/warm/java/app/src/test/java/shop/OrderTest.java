package shop;
import org.junit.jupiter.api.Test;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.*;
class OrderTest {
Countable countable = mock(Countable.class);
@Test void sorts() { assertThat(Order.random()).isEqualTo(Order.random()); }
@Test void mocks() { when(countable.count()).thenReturn(2); assertThat(Helper.twice(countable)).isEqualTo(4); }
@Test void kinds() { assertThat(Kind.of(2).count()).isEqualTo(1); }
@Test void starts() { Worker.start(() -> Worker.done++); assertThat(Worker.done).isEqualTo(1); }
@Test void later() throws Exception { Worker.later(() -> 1); Helper.pause(); assertThat(Worker.done).isEqualTo(1); }
}
