// use.cpp: the same in C++: the headers carry extern "C". argv[1]: the version it expects.
#include <cstdio>
#include <string>

#include <poynting/poynting.h>

int main(int argc, char **argv)
{
    poy_ctx *ctx = nullptr;
    poy_quantity time;

    if (argc < 2 || poy_ctx_create(&ctx) != POY_OK)
        return 1;
    const bool right = poy_quantity_parse(ctx, "30 fs", &time) == POY_OK && time.value == 30e-15 &&
                       poy_version() == std::string(argv[1]);
    std::printf("C++ program against poynting %s: %s\n", poy_version(), right ? "ok" : "wrong");
    poy_ctx_destroy(&ctx);
    return right ? 0 : 1;
}
