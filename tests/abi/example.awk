# The C source that stands in a Markdown file: the block whose first line names it, as in awk -v name=lorentz.c -f example.awk FILE.
/^```c$/ { getline; inside = index($0, "/* " name ":") == 1 }
/^```$/ { inside = 0 }
inside { print }
