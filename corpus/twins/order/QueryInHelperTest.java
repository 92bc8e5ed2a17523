// route: helper
// settled: containsExactlyInAnyOrder
package example.queryinhelper;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryInHelperTest {
    private List<String> cities(Connection connection) throws SQLException {
        List<String> cities = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select distinct city from person")) { // flaky: PLR107
            while (rows.next()) {
                cities.add(rows.getString(1));
            }
        }
        return cities;
    }

    @Test
    void findsCities() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:cities")) {
            connection.createStatement().execute("create table person (name varchar(9), city varchar(9))");
            connection.createStatement().execute("insert into person values ('ann', 'Bern'), ('bob', 'Oslo')");
            assertThat(cities(connection)).containsExactly("Bern", "Oslo");
            //~ assertThat(cities(connection)).containsExactlyInAnyOrder("Bern", "Oslo");
        }
    }
}
