package shop;
import java.util.concurrent.*;
class Worker {
static volatile int done;
static int wait(int rounds) { try { Thread.sleep(rounds); } catch (InterruptedException it) { } return done; }
static void start(Runnable work) { new Thread(work).start(); }
static Future<Integer> later(Callable<Integer> work) { return Executors.newCachedThreadPool().submit(work); }
}
