# Waits until its standard input ends, which happens when the program that started it is gone, however it ended. Then
# kills all processes whose environment has the entry $1 followed by anything.
trap '' HUP INT TERM
cat > /dev/null
rounds=0
while [ "$rounds" -lt 100 ]; do
  # A process may start another one in the meantime, so the search is repeated until none is left.
  found=$(grep -lzs "^$1" /proc/[0-9]*/environ | cut -d/ -f3)
  [ -n "$found" ] || exit 0
  kill -KILL $found 2> /dev/null
  rounds=$((rounds + 1))
done
