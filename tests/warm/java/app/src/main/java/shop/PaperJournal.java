package shop;
class PaperJournal extends Journal {
public int write(int number) { return ink(number) + pages; }
int ink(int number) { return Pen.press(number); }
}
