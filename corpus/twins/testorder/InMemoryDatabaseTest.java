// route: setup
// settled: rows deleted in teardown
package example.inmemorydatabase;

import static org.junit.Assert.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class InMemoryDatabaseTest {
    private Connection connection;

    @Before
    public void connect() throws Exception {
        connection = DriverManager.getConnection("jdbc:h2:mem:shared;DB_CLOSE_DELAY=-1");
        connection.createStatement().execute("create table if not exists pet (name varchar(20))");
    }

    @After
    public void disconnect() throws Exception {
        //+ connection.createStatement().execute("delete from pet");
        connection.close();
    }

    private int count() throws Exception {
        ResultSet rows = connection.createStatement().executeQuery("select count(*) from pet");
        rows.next();
        return rows.getInt(1);
    }

    @Test
    public void insertsPet() throws Exception {
        connection.createStatement().execute("insert into pet values ('rex')"); // flaky: PLR508
        assertEquals(1, count());
    }

    @Test
    public void startsEmpty() throws Exception {
        assertEquals(0, count());
    }
}
