package shop;
abstract class Journal implements Writer {
int pages = 1;
}
interface Writer {
int write(int number);
}
