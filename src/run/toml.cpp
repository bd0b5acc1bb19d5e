// toml.cpp: toml++ behind a C interface that keeps the line and column of every key and value.
#include "run/toml.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

namespace
{

// A text and where its lines begin; toml++ counts lines and characters (not bytes) from 1.
class source
{
  public:
    explicit source(std::string_view text) : text_(text)
    {
        lines_.push_back(0);
        for (size_t i = 0; i < text.size(); i++)
            if (text[i] == '\n')
                lines_.push_back(i + 1);
    }

    size_t offset(toml::source_position at) const
    {
        if (at.line < 1)
            return 0;
        if (at.line > lines_.size())
            return text_.size();
        size_t i = lines_[at.line - 1];
        for (size_t column = 1; column < at.column && i < text_.size(); column++) {
            i++;
            while (i < text_.size() && (static_cast<unsigned char>(text_[i]) & 0xC0) == 0x80)
                i++;
        }
        return i;
    }

    char at(toml::source_position position) const
    {
        size_t i = offset(position);
        return i < text_.size() ? text_[i] : '\0';
    }

    // The value from begin to end, up to the first line's end.
    std::string_view slice(const toml::source_region &region) const
    {
        size_t begin = offset(region.begin), end = std::max(begin, offset(region.end));
        std::string_view s = text_.substr(begin, end - begin);
        s = s.substr(0, s.find_first_of("\r\n"));
        while (!s.empty() && (s.back() == ' ' || s.back() == '\t'))
            s.remove_suffix(1);
        return s;
    }

    std::string_view before_line(size_t line) const
    {
        return text_.substr(0, line - 1 < lines_.size() ? lines_[line - 1] : text_.size());
    }

    // Lines first to last, both counted.
    std::string_view lines(size_t first, size_t last) const
    {
        size_t begin = lines_[first - 1], end = last < lines_.size() ? lines_[last] : text_.size();
        return text_.substr(begin, end - begin);
    }

    size_t line_count() const { return lines_.size(); }

  private:
    std::string_view text_;
    std::vector<size_t> lines_;
};

const char *keep(poyi_arena *arena, std::string_view s)
{
    return poyi_arena_copy(arena, s.data(), s.size());
}

poyi_node_kind kind_of(const toml::node &value)
{
    switch (value.type()) {
    case toml::node_type::table: return POYI_TABLE;
    case toml::node_type::array: return POYI_ARRAY;
    case toml::node_type::string: return POYI_STRING;
    case toml::node_type::integer: return POYI_INTEGER;
    case toml::node_type::floating_point: return POYI_REAL;
    case toml::node_type::boolean: return POYI_BOOL;
    default: return POYI_DATE;
    }
}

class converter
{
  public:
    converter(poyi_arena *arena, const source &text) : arena_(arena), text_(text) {}

    poyi_node *convert(const toml::node &value, const toml::key *key)
    {
        const toml::source_region &region = key ? key->source() : value.source();
        poyi_node *node = poyi_node_create(arena_, kind_of(value), nullptr);
        if (!node)
            return nullptr;
        if (key)
            node->key = keep(arena_, key->str());
        node->line = static_cast<int>(region.begin.line);
        node->column = static_cast<int>(region.begin.column);
        node->typed = keep(arena_, text_.slice(value.source()));
        fill(node, value);
        return node;
    }

  private:
    void fill(poyi_node *node, const toml::node &value)
    {
        if (const auto *table = value.as_table()) {
            node->is_inline = table->is_inline();
            fill_table(node, *table);
        } else if (const auto *array = value.as_array()) {
            node->is_inline =
                array->empty() || !(text_.at((*array)[0].source().begin) == '[' && (*array)[0].is_table());
            for (const auto &element : *array)
                poyi_node_append(node, convert(element, nullptr));
        } else if (const auto *string = value.as_string()) {
            node->text = keep(arena_, string->get());
        } else if (const auto *integer = value.as_integer()) {
            node->integer = integer->get();
            node->real = static_cast<double>(integer->get());
        } else if (const auto *real = value.as_floating_point()) {
            node->real = real->get();
        } else if (const auto *boolean = value.as_boolean()) {
            node->integer = boolean->get();
        }
    }

    // toml++ sorts by key; the order of the text is wanted.
    void fill_table(poyi_node *node, const toml::table &table)
    {
        std::vector<std::pair<const toml::key *, const toml::node *>> pairs;
        for (const auto &[key, value] : table)
            pairs.emplace_back(&key, &value);
        std::stable_sort(pairs.begin(), pairs.end(), [](const auto &a, const auto &b) {
            return a.first->source().begin < b.first->source().begin;
        });
        for (const auto &[key, value] : pairs)
            poyi_node_append(node, convert(*value, key));
    }

    poyi_arena *arena_;
    const source &text_;
};

void set_text(char *out, size_t size, std::string_view s)
{
    size_t n = std::min(size - 1, s.size());
    std::memcpy(out, s.data(), n);
    out[n] = '\0';
}

// ---- a key that is set twice: where does the first one stand? ----

std::string joined(const std::string &path, std::string_view key)
{
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

struct latest {
    toml::source_position begin{0, 0};
    std::string path;
};

// The table whose header stands last: what the next line of the text goes into.
void find_latest(const toml::node &value, const std::string &path, const source &text, latest &best)
{
    if (const auto *array = value.as_array()) {
        for (size_t i = 0; i < array->size(); i++)
            find_latest((*array)[i], joined(path, std::to_string(i)), text, best);
        return;
    }
    const auto *table = value.as_table();
    if (!table || table->is_inline())
        return;
    if (!path.empty() && text.at(table->source().begin) == '[' && best.begin < table->source().begin)
        best = {table->source().begin, path};
    for (const auto &[key, child] : *table)
        find_latest(child, joined(path, key.str()), text, best);
}

const toml::node *find(const toml::node &root, const std::string &path, const toml::key **key)
{
    const toml::node *node = &root;
    for (size_t begin = 0; node && begin <= path.size();) {
        size_t end = std::min(path.find('.', begin), path.size());
        std::string part = path.substr(begin, end - begin);
        if (const auto *table = node->as_table()) {
            auto it = table->find(part);
            node = it == table->end() ? nullptr : &it->second;
            *key = node ? &it->first : nullptr;
        } else if (const auto *array = node->as_array()) {
            node = array->get(std::strtoul(part.c_str(), nullptr, 10));
        } else {
            node = nullptr;
        }
        begin = end + 1;
    }
    return node;
}

// The only path of a one-entry text ("a.b = 1" or "[a.b]"): "a.b".
std::string only_path(const toml::table &table)
{
    std::string path;
    const toml::node *node = &table;
    while (const auto *t = node->as_table()) {
        if (t->size() != 1 || (t->is_inline() && node != &table))
            break;
        path = joined(path, t->begin()->first.str());
        node = &t->begin()->second;
    }
    return path;
}

// Tells a key that is set twice from other errors; fills in where both stand.
void describe_duplicate(const source &text, const toml::parse_error &e, poyi_toml_error *out)
{
    const size_t line = e.source().begin.line;
    if (e.description().find("redefine") == std::string_view::npos)
        return;
    try {
        toml::table before = toml::parse(text.before_line(line));
        toml::table own;
        size_t last = line;
        for (;; last++) { // a value may go on over several lines
            try {
                own = toml::parse(text.lines(line, last));
                break;
            } catch (const toml::parse_error &) {
                if (last == text.line_count())
                    return;
            }
        }
        latest table;
        find_latest(before, "", text, table);
        std::string own_path = only_path(own), path = own_path;
        std::string_view head = text.lines(line, line);
        if (head[head.find_first_not_of(" \t")] != '[' && !table.path.empty())
            path = joined(table.path, own_path);
        const toml::key *key = nullptr;
        const toml::node *first = find(before, path, &key);
        if (!first || !key)
            return;
        out->first_line = static_cast<int>(key->source().begin.line);
        out->last_line = static_cast<int>(last);
        set_text(out->key, sizeof out->key, path);
    } catch (const toml::parse_error &) {
        return; // not a plain duplicate: the error speaks for itself
    }
}

void describe(const source &text, const toml::parse_error &e, poyi_toml_error *out)
{
    out->line = static_cast<int>(e.source().begin.line);
    out->column = static_cast<int>(e.source().begin.column);
    std::string_view what = e.description();
    constexpr std::string_view start = "Error while parsing ";
    if (what.substr(0, start.size()) == start)
        what.remove_prefix(start.size());
    std::string line(what);
    for (char &c : line)
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    set_text(out->text, sizeof out->text, line);
    describe_duplicate(text, e, out);
}

} // namespace

extern "C" int poyi_toml_parse(poyi_arena *arena, const char *text, size_t length, poyi_node **root,
                               poyi_toml_error *error)
{
    *root = nullptr;
    *error = poyi_toml_error{};
    try {
        const std::string_view view(text, length);
        const source lines(view);
        try {
            toml::table table = toml::parse(view);
            *root = converter(arena, lines).convert(table, nullptr);
            return 1;
        } catch (const toml::parse_error &e) {
            describe(lines, e, error);
            return 0;
        }
    } catch (const std::bad_alloc &) {
        arena->failed = 1;
        return 0;
    }
}
