package shop;
import depot.Shelf;
class Till {
final Cart cart;
Shelf shelf = new Shelf();
Till(Cart cart) { this.cart = cart; }
int total() { return first(3); }
int first(int depth) { return depth == 0 ? second(depth) : second(depth - 1); }
int second(int depth) { return depth > 0 ? first(depth) : Ledger.sum(cart); }
}
