#include "replay/picture.h"

const char replay_picture_style[] =
    "svg{color-scheme:light dark}\n"
    ".bg{fill:#ffffff}\n"
    "text{font-family:\"DejaVu Sans Mono\",Menlo,Consolas,monospace;"
    "font-size:12px;fill:#1b1f23}\n"
    ".t{font-size:15px;font-weight:bold}\n"
    ".s{font-size:10px;fill:#3c4248}\n"
    ".m{text-anchor:middle}\n"
    ".r{text-anchor:end}\n";

const char replay_picture_dark[] = "@media (prefers-color-scheme:dark){\n"
                                   ".bg{fill:#15191d}\n"
                                   "text{fill:#e4e8ec}\n"
                                   ".s{fill:#bcc4cc}\n";
