#include "crash.h"

#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAMES 64
/* As deep as a handler may stand when the stack has run out. */
#define STACK ((size_t)65536)

/* The header of the program in memory: its place is the offset of all. */
extern const char __ehdr_start[];

typedef struct symbols {
    const Elf64_Sym *list;
    size_t count;
    const char *names;
    size_t names_length;
} symbols;

static const Elf64_Shdr *section(const char *file, size_t size, size_t n)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)file;
    uint64_t at = header->e_shoff + n * sizeof(Elf64_Shdr);
    if (n >= header->e_shnum || at + sizeof(Elf64_Shdr) > size)
        return NULL;
    return (const Elf64_Shdr *)(const void *)(file + at);
}

static bool find_symbols(symbols *s, const char *file, size_t size)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    for (size_t n = 0; n < header->e_shnum; n++) {
        const Elf64_Shdr *table = section(file, size, n);
        if (table == NULL || table->sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Shdr *names = section(file, size, table->sh_link);
        if (names == NULL || table->sh_offset + table->sh_size > size ||
            names->sh_offset + names->sh_size > size)
            return false;
        s->list = (const Elf64_Sym *)(const void *)(file + table->sh_offset);
        s->count = table->sh_size / sizeof *s->list;
        s->names = file + names->sh_offset;
        s->names_length = names->sh_size;
        return true;
    }
    return false;
}

/* The file is not closed: the process is about to end. */
static bool open_symbols(symbols *s)
{
    struct stat info;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0)
        return false;
    const char *file =
        mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    return file != MAP_FAILED && find_symbols(s, file, (size_t)info.st_size);
}

/* NULL: it is in no function of the program. */
static const char *name_of(const symbols *s, uintptr_t address)
{
    uintptr_t base = (uintptr_t)__ehdr_start;
    for (size_t i = 0; i < s->count; i++) {
        const Elf64_Sym *symbol = &s->list[i];
        uintptr_t begin = base + symbol->st_value;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && address >= begin &&
            address < begin + symbol->st_size &&
            symbol->st_name < s->names_length)
            return s->names + symbol->st_name;
    }
    return NULL;
}

static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void say_frame(int number, const char *name)
{
    char digits[3] = {(char)('0' + number / 10), (char)('0' + number % 10),
                      '\0'};
    say("#");
    say(number < 10 ? digits + 1 : digits);
    say(" in ");
    say(name);
    say("\n");
}

static void handle(int signal_number)
{
    void *addresses[FRAMES];
    symbols s = {0};
    const char *name = sigabbrev_np(signal_number);
    say("counterpoint: signal SIG");
    say(name == NULL ? "?" : name);
    say("\n");
    int count = backtrace(addresses, FRAMES), number = 0;
    if (open_symbols(&s))
        for (int i = 1; i < count; i++) { /* the first is this function */
            /* A call may be the last thing in its function. */
            uintptr_t address = (uintptr_t)addresses[i] - 1;
            name = name_of(&s, address);
            if (name != NULL)
                say_frame(number++, name);
        }
    /* It was reset when this function was called, and is blocked till now. */
    raise(signal_number);
}

void cli_crash_tell(void)
{
    static char stack[STACK];
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    void *unused[1];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = handle,
                               .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    backtrace(unused, 1); /* loads what it needs while memory is sound */
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        /* A sanitizer has handlers of its own, which tell more. */
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}
