// route: setup
// settled: count
package example.countedrows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountedRowsTest {
    private final List<Integer> ids = new ArrayList<>();

    @BeforeEach
    void load() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:rows")) {
            connection.createStatement().execute("create table item (id int)");
            connection.createStatement().execute("insert into item values (1), (2)");
            ResultSet rows = connection.createStatement().executeQuery("select id from item"); // flaky: PLR107
            while (rows.next()) {
                ids.add(rows.getInt("id"));
            }
        }
    }

    @Test
    void loadsItems() {
        assertEquals(1, ids.get(0));
        //~ assertEquals(2, ids.size());
    }
}
