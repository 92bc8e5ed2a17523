# Runs in a sandbox and checks it. Writes its process id to a file if all is well, and then waits for the end of its
# input. Otherwise it says what is wrong.
#
#   sandbox_probe.sh RESULT OUTSIDE NETWORK
#
# RESULT: the file for the process id. OUTSIDE: a folder that must not be writable. NETWORK: the network namespace of the
# program that made the sandbox.
wrong() {
  echo "$1"
  exit 1
}
[ "$(readlink /proc/self/ns/net)" != "$3" ] || wrong 'the network is that of the system'
grep -q '127\.0\.0\.1' /proc/net/fib_trie || wrong 'there is no loopback'
[ -z "$(sed 1d /proc/net/route)" ] || wrong 'there is a route to other machines'
! (: > "$2/file") 2> /dev/null || wrong 'files can be written everywhere'
for folder in /tmp "$HOME"; do
  file=$folder/peeler-probe-$$
  : > "$file" || wrong "there is no private $folder"
  rm "$file"
done
echo "$$" > "$1"
cat > /dev/null
