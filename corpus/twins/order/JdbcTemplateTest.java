// route: library
// settled: ORDER BY
package example.jdbctemplate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class JdbcTemplateTest {
    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:tpl;DB_CLOSE_DELAY=-1"));

    @Test
    void listsCodes() {
        jdbc.execute("create table if not exists code (name varchar(5))");
        jdbc.update("delete from code");
        jdbc.update("insert into code values ('A1'), ('B2')");
        List<String> codes = jdbc.queryForList("select name from code", String.class); // flaky: PLR107
        //~ List<String> codes = jdbc.queryForList("select name from code order by name", String.class);
        assertThat(codes).containsExactly("A1", "B2");
    }
}
