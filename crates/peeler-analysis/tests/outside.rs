//! Rules about ports, hosts and files: a flaky test and its stable twin for each way to reach them.

mod unsettled;

use peeler_analysis::Flow;
use unsettled::unsettled_flows;

/// The unsettled flows of all tests of some files, as `rule line: what`.
fn flows_of(files: &[(&str, &str)]) -> Vec<String> {
    let as_text = |it: &Flow| {
        let file = it.source.file.trim_end_matches(".java");
        format!("{} {file}:{} {:?}: {}", it.rule, it.source.line, it.origin, it.what)
    };
    unsettled_flows(files).iter().map(as_text).collect()
}

const IMPORTS: &str = "package t; import static org.junit.Assert.*; import java.io.*; import java.net.*; \
    import java.nio.file.*; import java.util.*; import org.junit.*; import org.junit.rules.TemporaryFolder; \
    import com.sun.net.httpserver.HttpServer; import com.github.tomakehurst.wiremock.WireMockServer; \
    import io.undertow.Undertow; import org.springframework.util.SocketUtils; import org.jsoup.Jsoup; \
    import org.springframework.web.client.RestTemplate; \
    import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.wireMockConfig; ";

/// The flows of a JUnit 4 class with these members, whose first line is line 1.
fn class(members: &str) -> Vec<String> {
    flows_of(&[("A.java", &format!("{IMPORTS} public class A {{ {members}\n}}"))])
}

/// The flows of a test with this body, which begins in line 1.
fn body(statements: &str) -> Vec<String> {
    class(&format!(
        "@Test public void test() throws Exception {{ {statements}\n }}"
    ))
}

fn assert_flow(found: &[String], expected: &str) {
    assert_eq!(found, [expected]);
}

fn assert_silent(found: &[String]) {
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_server_socket_on_a_constant_port_is_fixed_and_port_zero_is_not() {
    assert_flow(
        &body("new ServerSocket(8080).close();"),
        "PLR401 A:1 Body: binds the fixed port 8080",
    );
    assert_silent(&body("new ServerSocket(0).close();"));
}

#[test]
fn what_only_an_assumption_reaches_cannot_fail_a_test() {
    let reads = "new URL(\"http://www.wikipedia.org\").openStream() != null";
    assert_flow(
        &body(&format!("assertTrue({reads});")),
        "PLR402 A:1 Body: connects to www.wikipedia.org",
    );
    assert_silent(&body(&format!("Assume.assumeTrue({reads});")));
}

#[test]
fn a_class_whose_static_methods_are_mocked_looks_nothing_up() {
    let looks_up = "assertNotNull(InetAddress.getByName(\"www.wikipedia.org\"));";
    assert_flow(&body(looks_up), "PLR402 A:1 Body: looks up the host www.wikipedia.org");
    assert_silent(&body(&format!(
        "PowerMockito.mockStatic(InetAddress.class); {looks_up}"
    )));
}

#[test]
fn constants_reach_a_bind_through_variables_fields_and_addresses() {
    assert_flow(
        &body("int port = 8000 + 80;\nHttpServer.create(new InetSocketAddress(\"localhost\", port), 0);"),
        "PLR401 A:2 Body: binds the fixed port 8080",
    );
    assert_flow(
        &class("static final int PORT = 9090;\n@Test public void test() throws Exception { new ServerSocket(PORT); }"),
        "PLR401 A:2 Body: binds the fixed port 9090",
    );
    assert_silent(&body(
        "int port = Integer.getInteger(\"port\");\nHttpServer.create(new InetSocketAddress(port), 0);",
    ));
    assert_silent(&body(
        "int port = 8080; port = free(); new ServerSocket(port); } int free() { return 0;",
    ));
}

#[test]
fn builders_of_servers_bind_their_port() {
    assert_flow(
        &body("Undertow server = Undertow.builder().addHttpListener(8080, \"localhost\").build();"),
        "PLR401 A:1 Body: binds the fixed port 8080",
    );
    assert_flow(
        &body("WireMockServer server = new WireMockServer(wireMockConfig().port(8089).bindAddress(\"localhost\"));"),
        "PLR401 A:1 Body: binds the fixed port 8089",
    );
    assert_silent(&body(
        "WireMockServer server = new WireMockServer(wireMockConfig().dynamicPort());",
    ));
}

#[test]
fn helpers_and_setup_bind_what_they_are_given() {
    assert_flow(
        &class(
            "@Test public void test() throws Exception { serve(8080); }\n\
             void serve(int port) throws Exception { new ServerSocket(port); }",
        ),
        "PLR401 A:1 Body: binds the fixed port 8080",
    );
    assert_silent(&class(
        "@Test public void test() throws Exception { serve(0); }\n\
         void serve(int port) throws Exception { new ServerSocket(port); }",
    ));
    assert_flow(
        &class(
            "ServerSocket socket;\n\
             @Before public void open() throws Exception { socket = new ServerSocket(7070); }\n\
             @Test public void test() { assertTrue(socket.isBound()); }",
        ),
        "PLR401 A:2 Setup: binds the fixed port 7070",
    );
}

#[test]
fn a_helper_of_the_class_around_a_nested_one_is_a_helper() {
    let text = "package t; import org.junit.jupiter.api.*; class A { void serve(int port) throws Exception {\n\
        new java.net.ServerSocket(port); }\nvoid serve() throws Exception { serve(8080); }\n\
        @Nested class B { @Test void test() throws Exception { serve(); } } }";
    assert_flow(
        &flows_of(&[("A.java", text)]),
        "PLR401 A:3 Helper: binds the fixed port 8080",
    );
}

const SERVER: &str = "package t; import java.net.*; public class Server { private final int port;\n\
    public Server() { this(8080); }\n\
    public Server(int port) { this.port = port; }\n\
    public void start() throws Exception { open(); }\n\
    private void open() throws Exception { new ServerSocket(port); } }";

fn with_server(statements: &str) -> Vec<String> {
    let test = format!("{IMPORTS} public class A {{ @Test public void test() throws Exception {{ {statements} }} }}");
    flows_of(&[("A.java", &test), ("Server.java", SERVER)])
}

#[test]
fn the_argument_of_a_constructor_reaches_the_bind_of_another_method() {
    assert_flow(
        &with_server("Server server = new Server(9000);\nserver.start();"),
        "PLR401 A:1 Body: binds the fixed port 9000",
    );
    assert_silent(&with_server("Server server = new Server(0);\nserver.start();"));
    assert_silent(&with_server(
        "Server server = new Server(9000);\nassertNotNull(server);",
    ));
}

#[test]
fn the_default_of_a_constructor_counts() {
    assert_flow(
        &with_server("Server server = new Server();\nserver.start();"),
        "PLR401 A:1 Body: binds the fixed port 8080",
    );
}

#[test]
fn code_under_test_binds_its_own_constant_at_its_depth() {
    let code = "package t; public class Code { public void one() throws Exception { two(); }\n\
        void two() throws Exception { three(); }\nvoid three() throws Exception { new java.net.ServerSocket(5555); } }";
    let test =
        format!("{IMPORTS} public class A {{ @Test public void test() throws Exception {{ new Code().one(); }} }}");
    assert_flow(
        &flows_of(&[("A.java", &test), ("Code.java", code)]),
        "PLR401 Code:3 CodeUnderTest(3): binds the fixed port 5555",
    );
}

#[test]
fn annotations_start_servers_on_fixed_ports() {
    let test = |arguments: &str| {
        let text = format!(
            "package t; import org.junit.jupiter.api.*; @SpringBootTest({arguments})\n\
             class A {{ @Test void test() {{}} }}"
        );
        flows_of(&[("A.java", &text)])
    };
    assert_flow(
        &test("webEnvironment = WebEnvironment.DEFINED_PORT, properties = \"server.port=8085\""),
        "PLR401 A:1 Setup: starts a server on the fixed port 8085",
    );
    assert_silent(&test(
        "webEnvironment = WebEnvironment.RANDOM_PORT, properties = \"server.port=8085\"",
    ));
    assert_silent(&test("properties = \"server.port=8085\""));
}

#[test]
fn clients_and_comparisons_bind_nothing() {
    assert_silent(&body("new Socket(\"localhost\", 8080).close();"));
    assert_silent(&body("assertEquals(8080, new InetSocketAddress(8080).getPort());"));
}

#[test]
fn reading_a_remote_address_needs_the_network_and_parsing_it_does_not() {
    assert_flow(
        &body("InputStream in = new URL(\"http://www.wikipedia.org/\").openStream();"),
        "PLR402 A:1 Body: connects to www.wikipedia.org",
    );
    assert_flow(
        &body(
            "URL url = new URL(\"https://www.wikipedia.org/\" + name());\n\
             HttpURLConnection c = (HttpURLConnection) url.openConnection();\n\
             assertEquals(200, c.getResponseCode()); } String name() { return null;",
        ),
        "PLR402 A:3 Body: connects to www.wikipedia.org",
    );
    assert_silent(&body(
        "assertEquals(\"www.wikipedia.org\", new URL(\"http://www.wikipedia.org/\").getHost());",
    ));
    assert_silent(&body(
        "InputStream in = new URL(\"http://localhost:8080/\").openStream();",
    ));
    assert_silent(&body("InputStream in = new URL(\"file:///tmp/x\").openStream();"));
}

#[test]
fn looking_up_a_name_needs_the_network_and_a_number_does_not() {
    assert_flow(
        &body("InetAddress.getByName(\"www.wikipedia.org\");"),
        "PLR402 A:1 Body: looks up the host www.wikipedia.org",
    );
    assert_silent(&body(
        "InetAddress.getByName(\"10.0.0.1\"); InetAddress.getByName(\"localhost\");",
    ));
}

#[test]
fn a_client_of_a_library_connects_and_a_mock_does_not() {
    assert_flow(
        &body("Jsoup.connect(\"https://www.wikipedia.org\").timeout(100).get();"),
        "PLR402 A:1 Body: connects to www.wikipedia.org",
    );
    assert_flow(
        &body("new RestTemplate().getForObject(\"https://www.wikipedia.org/\", String.class);"),
        "PLR402 A:1 Body: connects to www.wikipedia.org",
    );
    assert_silent(&class(
        "@Mock RestTemplate client; @Test public void test() { \
         client.getForObject(\"https://www.wikipedia.org/\", String.class); }",
    ));
}

#[test]
fn a_file_with_a_fixed_name_is_shared_and_a_temporary_one_is_not() {
    assert_flow(
        &body("File file = new File(\"target/out.txt\");\nnew FileWriter(file).close();"),
        "PLR403 A:2 Body: writes target/out.txt, a path that every run shares",
    );
    assert_flow(
        &body("Files.write(Paths.get(\"target\", \"out.txt\"), new byte[0]);"),
        "PLR403 A:1 Body: writes target/out.txt, a path that every run shares",
    );
    assert_silent(&body(
        "File file = File.createTempFile(\"out\", \".txt\");\nnew FileWriter(file).close();",
    ));
    assert_silent(&class(
        "@Rule public TemporaryFolder folder = new TemporaryFolder();\n@Test public void test() throws Exception { \
         new FileWriter(new File(folder.getRoot(), \"out.txt\")).close(); }",
    ));
}

#[test]
fn paths_of_the_machine_are_found_and_resources_are_not() {
    assert_flow(
        &body("Files.readAllLines(Paths.get(\"/etc/hosts\"));"),
        "PLR403 A:1 Body: reads /etc/hosts, a path of the machine",
    );
    assert_silent(&body("Files.readAllLines(Paths.get(\"src/test/resources/hosts\"));"));
}

#[test]
fn a_free_port_that_is_released_is_found_and_a_bound_one_is_not() {
    assert_flow(
        &class(
            "@Test public void test() throws Exception { serve(freePort()); }\nvoid serve(int port) {}\n\
             int freePort() throws IOException { try (ServerSocket s = new ServerSocket(0)) { return \
             s.getLocalPort(); } }",
        ),
        "PLR404 A:3 Helper: takes a port that was free a moment ago",
    );
    assert_flow(
        &body(
            "ServerSocket s = new ServerSocket(0);\nint port = s.getLocalPort();\ns.close();\nnew ServerSocket(port);",
        ),
        "PLR404 A:1 Body: takes a port that was free a moment ago",
    );
    assert_flow(
        &class(
            "@Test public void test() throws Exception { new Socket(\"localhost\", port()); }\n\
             int port() throws IOException { ServerSocket s = null;\n\
             try { s = new ServerSocket(0); return s.getLocalPort(); } finally { if (s != null) { s.close(); } } }",
        ),
        "PLR404 A:3 Helper: takes a port that was free a moment ago",
    );
    assert_silent(&body(
        "ServerSocket s = new ServerSocket(0);\nint port = s.getLocalPort();\nnew Socket(\"localhost\", port);\n\
         s.close();",
    ));
    assert_silent(&body(
        "try (ServerSocket s = new ServerSocket(0)) { new Socket(\"localhost\", s.getLocalPort()); }",
    ));
    for user in [
        "() -> open(s.getLocalPort())",
        "new Callable<Integer>() { public Integer call() { return open(s.getLocalPort()); } }",
    ] {
        assert_silent(&body(&format!(
            "try (ServerSocket s = new ServerSocket(0)) {{ assertThrows(IOException.class, {user}); }}"
        )));
    }
    assert_flow(
        &body("serve(unchecked(() -> {\ntry (ServerSocket s = new ServerSocket(0)) { return s.getLocalPort(); } }));"),
        "PLR404 A:2 Body: takes a port that was free a moment ago",
    );
}

#[test]
fn libraries_that_find_free_ports_are_known() {
    assert_flow(
        &body("int port = SocketUtils.findAvailableTcpPort();\nnew ServerSocket(port);"),
        "PLR404 A:1 Body: takes a port that was free a moment ago",
    );
    assert_silent(&body("assertTrue(SocketUtils.findAvailableTcpPort() > 0);"));
}

#[test]
fn a_url_in_a_set_is_looked_up_and_a_uri_is_not() {
    assert_flow(
        &body("Map<URL, String> names = new HashMap<>();\nnames.put(new URL(\"http://shop.example.com/a\"), \"a\");"),
        "PLR309 A:2 Body: looks up the host shop.example.com to hash or compare a URL",
    );
    assert_flow(
        &body("assertEquals(new URL(\"http://shop.example.com/a\"), null);"),
        "PLR309 A:1 Body: looks up the host shop.example.com to hash or compare a URL",
    );
    assert_flow(
        &body("Set<URL> links = new HashSet<>();\nlinks.add(new URL(\"http://shop.example.com/a\"));"),
        "PLR309 A:2 Body: looks up the host shop.example.com to hash or compare a URL",
    );
    assert_silent(&body(
        "List<URL> links = new ArrayList<>();\nlinks.add(new URL(\"http://shop.example.com/a\"));",
    ));
    assert_silent(&body(
        "Map<URI, String> names = new HashMap<>();\nnames.put(new URI(\"http://shop.example.com/a\"), \"a\");",
    ));
    assert_silent(&body(
        "assertEquals(\"http://shop.example.com/a\", new URL(\"http://shop.example.com/a\").toString());",
    ));
}

#[test]
fn a_fixed_file_that_is_left_until_exit_is_found_and_a_temporary_one_is_not() {
    assert_flow(
        &body("new File(\"report.txt\").deleteOnExit();"),
        "PLR605 A:1 Body: leaves report.txt until the JVM exits",
    );
    assert_silent(&body(
        "File file = File.createTempFile(\"a\", \"b\");\nfile.deleteOnExit();",
    ));
}

#[test]
fn disabled_tests_have_no_flows() {
    let members = "@Test public void test() throws Exception { new ServerSocket(8080); }";
    assert_eq!(class(members).len(), 1);
    assert_silent(&class(&format!("@Ignore {members}")));
    assert_silent(&flows_of(&[(
        "A.java",
        &format!("{IMPORTS} @Ignore public class A {{ {members} }}"),
    )]));
    let testng = "package t; import org.testng.annotations.*; public class A { @Test(enabled = false) \
        public void test() throws Exception { new java.net.ServerSocket(8080); } }";
    assert_silent(&flows_of(&[("A.java", testng)]));
    let nested = "package t; import org.junit.jupiter.api.*; @Disabled class A { @Nested class B { @Test void test() \
        throws Exception { new java.net.ServerSocket(8080); } } }";
    assert_silent(&flows_of(&[("A.java", nested)]));
}

#[test]
fn a_method_that_only_returns_gives_its_constant() {
    let port = |members: &str| {
        class(&format!(
            "@Test public void test() throws Exception {{ new ServerSocket(port()).close(); }}\n{members}"
        ))
    };
    assert_flow(
        &port("int port() { return 8080; }"),
        "PLR401 A:1 Body: binds the fixed port 8080",
    );
    assert_silent(&port(
        "int port() { return 8080; } static class B extends A { int port() { return 0; } }",
    ));
}

#[test]
fn a_path_is_completed_by_the_caller_that_knows_its_parts() {
    let journal = "package t; import java.nio.file.*; class Journal { private final Path file; \
        Journal(Path folder) { file = folder.resolve(\"a.txt\"); } \
        void write() throws Exception { Files.writeString(file, \"a\"); } }";
    let written = |folder: &str| {
        let test = format!(
            "{IMPORTS} public class A {{ @Test public void test() throws Exception {{\n\
             Journal journal = new Journal({folder});\njournal.write(); }} }}"
        );
        flows_of(&[("A.java", &test), ("Journal.java", journal)])
    };
    assert_flow(
        &written("Paths.get(\"/var/tmp\")"),
        "PLR403 A:2 Body: writes /var/tmp/a.txt, a path that every run shares",
    );
    assert_silent(&written("Files.createTempDirectory(\"a\")"));
}

#[test]
fn a_helper_that_hashes_urls_is_the_source() {
    let hashed = |made: &str| {
        class(&format!(
            "int hash(String address) throws Exception {{ return {made}.hashCode(); }}\n\
             @Test public void test() throws Exception {{ assertEquals(1, hash(\"http://example.net/a\")); }}"
        ))
    };
    assert_flow(
        &hashed("new URL(address)"),
        "PLR309 A:1 Helper: looks up the host example.net to hash or compare a URL",
    );
    assert_silent(&hashed("new URI(address)"));
}

#[test]
fn a_client_that_a_mock_answers_needs_no_network() {
    let found = |before: &str, client: &str| {
        body(&format!(
            "{before} RestTemplate client = {client};\n\
             MockRestServiceServer.createServer(other);\n\
             client.getForObject(\"https://www.wikipedia.org/\", String.class);"
        ))
    };
    let flow = "PLR402 A:3 Body: connects to www.wikipedia.org";
    assert_flow(&found("", "new RestTemplate()"), flow);
    assert_flow(
        &found("Factory factory = new Factory();", "new RestTemplate(factory)"),
        flow,
    );
    assert_silent(&found(
        "Factory factory = mock(Factory.class);",
        "new RestTemplate(factory)",
    ));
    assert_silent(&body(
        "RestTemplate client = new RestTemplate();\nServer server = MockRestServiceServer.createServer(client);\n\
         client.getForObject(\"https://www.wikipedia.org/\", String.class);",
    ));
}

#[test]
fn a_port_of_a_server_that_nothing_starts_is_not_bound() {
    let port = |more: &str| {
        body(&format!(
            "org.eclipse.jetty.server.ServerConnector it = new org.eclipse.jetty.server.ServerConnector(server); \
             it.setPort(8080); {more}"
        ))
    };
    assert_flow(&port("it.start();"), "PLR401 A:1 Body: binds the fixed port 8080");
    assert_silent(&port("assertEquals(8080, it.getPort());"));
}

#[test]
fn a_host_whose_silence_is_accepted_fails_nothing() {
    let read = |caught: &str| {
        body(&format!(
            "try {{ InputStream page = new URL(\"http://www.wikipedia.org\").openStream(); assertNotNull(page); }} \
             catch (Exception e) {{ {caught} }}"
        ))
    };
    let flow = "PLR402 A:1 Body: connects to www.wikipedia.org";
    assert_silent(&read("e.printStackTrace();"));
    for reported in ["throw e;", "fail(e.getMessage());"] {
        assert_flow(&read(reported), flow);
    }
    let probe = |caught: &str| {
        body(&format!(
            "InputStream page;\ntry {{ page = new URL(\"http://www.wikipedia.org\").openStream(); }} \
             catch (IOException e) {{ {caught} }}\nassertNotNull(page);"
        ))
    };
    assert_silent(&probe("return;"));
    assert_silent(&probe("Assume.assumeNoException(e);"));
    assert_flow(
        &probe("throw new IllegalStateException(e);"),
        &flow.replace("A:1", "A:2"),
    );
}
