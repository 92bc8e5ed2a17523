// route: code under test, 1 call
// settled: ORDER BY
package example.firstrow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class AuditLog {
    String last(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT message FROM audit LIMIT 1")) { // flaky: PLR107
            //~ ResultSet rows = statement.executeQuery("SELECT message FROM audit ORDER BY id DESC LIMIT 1")) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}

class FirstRowTest {
    @Test
    void returnsLastMessage() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:audit")) {
            connection.createStatement().execute("create table audit (id int, message varchar(20))");
            connection.createStatement().execute("insert into audit values (2, 'stop'), (1, 'start')");
            assertEquals("stop", new AuditLog().last(connection));
        }
    }
}
