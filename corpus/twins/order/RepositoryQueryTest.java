// route: code under test, 1 call
// settled: compared as sets
package example.repositoryquery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BookRepository {
    private final Connection connection;

    BookRepository(Connection connection) {
        this.connection = connection;
    }

    List<String> titles() throws SQLException {
        List<String> titles = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("select title from book"); // flaky: PLR107
                ResultSet rows = query.executeQuery()) {
            while (rows.next()) {
                titles.add(rows.getString("title"));
            }
        }
        return titles;
    }
}

class RepositoryQueryTest {
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:books");
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table book (title varchar(30), printed int)");
            statement.execute("insert into book values ('Ulysses', 1922), ('Momo', 1973)");
        }
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void findsTitles() throws Exception {
        List<String> titles = new BookRepository(connection).titles();
        assertEquals(List.of("Ulysses", "Momo"), titles);
        //~ assertEquals(Set.of("Ulysses", "Momo"), new HashSet<>(titles));
    }
}
