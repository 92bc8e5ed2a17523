// route: body
// settled: ORDER BY
package example.jdbcnames;

import static org.junit.Assert.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class JdbcNamesTest {
    @Test
    public void readsUsers() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:names");
                java.sql.Statement statement = connection.createStatement()) {
            statement.execute("create table users (name varchar(20))");
            statement.execute("insert into users values ('ann'), ('bob')");
            List<String> names = new ArrayList<>();
            ResultSet rows = statement.executeQuery("select name from users"); // flaky: PLR107
            //~ ResultSet rows = statement.executeQuery("select name from users order by name");
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            assertEquals(Arrays.asList("ann", "bob"), names);
        }
    }
}
