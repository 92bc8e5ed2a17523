package org.junit.rules;

public class TemporaryFolder { public java.io.File newFile(); public java.io.File newFile(String name); public java.io.File newFolder(); public java.io.File newFolder(String... names); public java.io.File getRoot(); public void create(); public void delete(); }
public class ExpectedException { public static ExpectedException none(); public void expect(Class<? extends Throwable> type); public void expectMessage(String text); }
