package shop.faults;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import shop.Chance;

class FaultTest {
    @Test
    void hangs() throws Exception {
        Thread.sleep(1_000_000);
    }

    @Test
    void hangsWithChildren() throws Exception {
        new ProcessBuilder("sh", "-c", "sleep 1000 & setsid sleep 1000 & wait").start().waitFor();
    }

    @Test
    void leavesAChild() throws Exception {
        new ProcessBuilder("sleep", "1000").start();
    }

    @Test
    void exits() {
        System.exit(3);
    }

    @Test
    void exitsSometimes() throws Exception {
        if (!Chance.passes("exits", "fp")) {
            System.exit(3);
        }
    }

    @Test
    void floods() throws Exception {
        byte[] line = "end\t1\tfailed\t0\tnot really; this test passes\n".getBytes();
        java.io.FileOutputStream out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
        for (int i = 0; i < 200_000; i++) {
            out.write(line);
        }
        System.err.println("the flood is over");
    }

    @Test
    void closesItsStreams() throws Exception {
        System.out.close();
        System.err.close();
        new java.io.FileOutputStream(java.io.FileDescriptor.out).close();
    }

    @Test
    void readsItsInput() throws Exception {
        Assertions.assertEquals(-1, System.in.read());
    }

    @Test
    void fillsTheHeap() {
        List<byte[]> all = new ArrayList<byte[]>();
        while (true) {
            all.add(new byte[1 << 20]);
        }
    }

    @Test
    void killsItsJvm() throws Exception {
        String self = java.lang.management.ManagementFactory.getRuntimeMXBean().getName().split("@")[0];
        new ProcessBuilder("kill", "-9", self).start().waitFor();
        Thread.sleep(10_000);
    }

    @Test
    void passes() {
        Assertions.assertTrue(true);
    }
}
