# Runs a program with the file system that its arguments describe. `unshare` has made namespaces for mounts and for the
# network before, in which this script is root.
#
#   sandbox.sh USER GROUP STAGE FOLDER [ro|rw|empty FROM TO]... -- PROGRAM [ARGUMENT]...
#
# USER and GROUP: ids that the program runs with, in a user namespace of its own; empty if this script really is root.
# STAGE: an existing folder with the empty folders `old` and `new`. FOLDER: the program's working folder.
set -e
user=$1 group=$2 old=$3/old new=$3/new folder=$4
shift 4

# Ordinary users often do not have the folders of these tools on their search path.
tool() { (
  PATH=$PATH:/usr/sbin:/sbin
  "$@"
); }
tool ip link set lo up || tool ifconfig lo up

# All files, read-only. `old` stays as it is, so that it has the files that a mount in `new` covers.
mount -n --rbind / "$old"
mounts=$(cat /proc/self/mountinfo)
while read -r _ _ _ _ point options _; do
  # A space in a path is written as \040.
  case $point in *\\*) point=$(printf %b "$(printf %s "$point" | sed 's/\\/\\0/g')") ;; esac
  case $point/ in "$old"/*) ;; *) continue ;; esac
  # The ids of the last user namespace are written to /proc.
  [ -z "$user" ] || [ "$point" != "$old/proc" ] || continue
  # The other options must be repeated: a user namespace may not drop them.
  # A file system that nobody else may enter, such as that of a desktop, can stay as it is.
  mount -n -o "remount,bind,ro${options#r[ow]}" "$point" || ! [ -r "$point" ]
done <<END
$mounts
END
mount -n --rbind "$old" "$new"

while [ "$1" != -- ]; do
  if ! [ -e "$new$3" ]; then
    if [ "$1" = empty ] || [ -d "$2" ]; then
      mkdir -p "$new$3"
    else
      mkdir -p "$new${3%/*}"
      : > "$new$3"
    fi
  fi
  case $1 in
    ro) mount -n --rbind "$old$2" "$new$3" ;;
    rw) mount -n --rbind "$2" "$new$3" ;;
    empty) mount -n -t tmpfs tmpfs "$new$3" ;;
  esac
  shift 3
done
shift

cd "$new"
tool pivot_root . tmp
umount -n -l /tmp
cd "$folder"
if [ -n "$user" ]; then
  exec unshare --user "--map-user=$user" "--map-group=$group" -- "$@"
fi
exec "$@"
