// An engine that speaks the engine protocol of pontedeldiavolo, in C++17 without other libraries:
//
//     g++ -std=c++17 -O2 -o engine engine.cpp
//     pontedeldiavolo match external:./engine random --games 20
//
// It compares all pairs of tiles by the groups that they make, and never builds a bridge.
#include <algorithm>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Game {
    int width = 0, height = 0;
    int tiles[2] = {0, 0};        // that white and red have left
    std::vector<char> cells;      // '.', 'w', 'r', or '#' under a bridge
    std::string phase = "opening";
    char mover = 'w';

    int cell(const std::string& text) const {
        return (std::stoi(text.substr(1)) - 1) * width + text[0] - 'a';
    }
    std::string name(int at) const {
        return char('a' + at % width) + std::to_string(at / width + 1);
    }
    std::vector<int> around(int at, bool diagonal) const {
        std::vector<int> found;
        for (int i = 0; i < 9; ++i) {
            int x = i % 3 - 1, y = i / 3 - 1, column = at % width + x, row = at / width + y;
            bool near = (x || y) && (diagonal || !x || !y);
            if (near && column >= 0 && column < width && row >= 0 && row < height)
                found.push_back(row * width + column);
        }
        return found;
    }
    std::vector<int> group(int at) const {
        std::vector<int> found{at};
        for (size_t i = 0; i < found.size(); ++i)
            for (int next : around(found[i], false))
                if (cells[next] == cells[at] && !std::count(found.begin(), found.end(), next))
                    found.push_back(next);
        return found;
    }
    // The size of the group of a new tile; 0 if the tile is illegal.
    int place(int at) {
        if (cells[at] != '.') return 0;
        cells[at] = mover;
        std::vector<int> own = group(at);
        size_t size = own.size() > 4 ? 0 : own.size();
        for (int tile : own)
            for (int next : around(tile, true))
                if (cells[next] == mover && !std::count(own.begin(), own.end(), next))
                    if (own.size() == 4 || group(next).size() == 4) size = 0;
        if (!size) cells[at] = '.';
        return int(size);
    }
    void bridge(const std::string& text) {
        // A knight's move lies over two cells, all others over one.
        int a = cell(text), b = cell(text.substr(text.find('-') + 1));
        int x = a % width + b % width, y = a / width + b / width;
        for (int row : {y / 2, (y + 1) / 2})
            for (int column : {x / 2, (x + 1) / 2}) cells[row * width + column] = '#';
    }
    void begin(std::istream& words) {  // "6x6 tiles=20 bridges=15 tiebreaks=none"
        char by;
        std::string supply, skipped;
        words >> width >> by >> height >> supply >> skipped >> skipped;
        bool unlimited = supply == "tiles=unlimited";
        tiles[0] = tiles[1] = unlimited ? 4096 : int(std::min(4096.0, std::stod(supply.substr(6))));
        cells.assign(size_t(width) * height, '.');
        phase = "opening", mover = 'w';
    }
    void put(int at, char tile) { cells[at] = tile, --tiles[tile == 'r']; }
    void play(const std::string& action) {
        if (action.find(',') != action.npos) {
            put(cell(action), mover);
            put(cell(action.substr(action.find(',') + 1)), mover);
        }
        if (action.find('-') != action.npos) bridge(action);
        bool opened = phase == "opening";
        phase = opened ? "color-choice" : "play";
        mover = opened ? '-' : mover == 'r' ? 'w' : 'r';
    }
    void set(std::istream& words) {
        begin(words);
        std::string word;
        while (words >> word) {
            std::istringstream rest(word.substr(word.find('=') + 1));
            std::string kind = word.substr(0, word.find('=')), text;
            for (int y = height; kind == "rows" && std::getline(rest, text, '/');) {
                std::istringstream row(text);
                --y;
                for (int x = 0, water; x < width; x += water)
                    if (!std::isdigit(row.peek()) || !(row >> water))
                        put(y * width + x, char(row.get())), water = 1;
            }
            while (kind == "built" && std::getline(rest, text, ',') && text != "-") bridge(text);
            if (kind == "phase") rest >> phase;
            if (kind == "to-move") rest >> mover;
            if (kind == "placed") phase = "half-turn";
        }
    }
    std::string choose(std::mt19937& random) {
        if (phase == "color-choice") return random() % 2 ? "white" : "red";
        std::string best = "pass";
        double most = -1;
        int size = tiles[mover == 'r'] < 2 ? 0 : width * height;
        for (int a = 0; a < size; ++a) {
            int one = place(a);
            for (int b = one ? a + 1 : size; b < size; ++b) {
                int two = place(b);
                double value = two ? one * one + two * two + random() % 1000 / 1000.0 : -1;
                if (two) cells[b] = '.';
                if (value > most) most = value, best = name(a) + "," + name(b);
            }
            if (one) cells[a] = '.';
        }
        return best;
    }
};

int main() {
    Game game;
    std::mt19937 random(0);
    for (std::string line, rules, word, name; std::getline(std::cin, line) && line != "quit";) {
        std::istringstream words(line);
        words >> word;
        if (word == "ponte") {
            std::cout << "ponte 1\nname Example 1\noption seed integer 0 0 4294967295\nready\n";
        } else if (word == "option" && words >> name >> word && name == "seed") {
            random.seed(std::stoul(word));
        } else if (word == "newgame") {
            game.begin(words), rules = line.substr(8);
            std::cout << (game.width > 26 ? "unsupported boards wider than 26\n" : "ready\n");
        } else if (word == "position" && words >> name && name == "state") {
            game.set(words);
        } else if (word == "position") {
            std::istringstream start(rules);
            game.begin(start);
            while (words >> word) game.play(word);
        } else if (word == "go" && line.rfind("go step", 0) && game.phase != "half-turn") {
            std::cout << "best " << game.choose(random) << "\n";
        } else if (word != "stop" && word != "ponder") {
            std::cout << "error unknown message\n";
        }
        std::cout.flush();
    }
}
