/* What the HTML report is made of: reports/html/, compiled in by the build. */
#ifndef REPORTS_HTML_H
#define REPORTS_HTML_H

/* The page; @NAME@ stands for a part that write_html.c fills in. */
extern const char report_html_page[];

/* Its style and its script, and the SHA-256 of each in base64. */
extern const char report_html_style[], report_html_style_digest[];
extern const char report_html_script[], report_html_script_digest[];

#endif
