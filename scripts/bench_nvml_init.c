/* Loads a management library, starts it and shuts it down: what a reading cannot be faster than.
   bench_nvml_init LIBRARY [TIMES] */
#include <dlfcn.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    int times = count > 2 ? atoi(arguments[2]) : 1;
    for (int i = 0; i < times; i++) {
        void *library = count > 1 ? dlopen(arguments[1], RTLD_LAZY) : 0;
        if (!library) return 2;
        unsigned (*start)(void) = (unsigned (*)(void))dlsym(library, "nvmlInit_v2");
        unsigned (*end)(void) = (unsigned (*)(void))dlsym(library, "nvmlShutdown");
        if (!start || !end || start() || end()) return 1;
        dlclose(library);
    }
    return 0;
}
