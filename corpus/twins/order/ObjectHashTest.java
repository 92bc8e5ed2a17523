// route: code under test, 3 calls
// settled: hashCode declared
package example.objecthash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Session {
    final String user;

    Session(String user) {
        this.user = user;
    }
    //+
    //+ @Override
    //+ public int hashCode() {
    //+     return user.hashCode();
    //+ }
}

class Shards {
    int shard(Session session) {
        return new Hashing().bucket(session, 16);
    }
}

class Hashing {
    int bucket(Object key, int buckets) {
        return Math.floorMod(mix(key), buckets);
    }

    private int mix(Object key) {
        return key.hashCode(); // flaky: PLR108
    }
}

class ObjectHashTest {
    @Test
    void picksShard() {
        assertEquals(Math.floorMod("ann".hashCode(), 16), new Shards().shard(new Session("ann")));
    }
}
