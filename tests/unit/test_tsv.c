// The reader of vector files: fields by name, line numbers in errors, words and values out of a field.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/tsv.h"

static void note(const struct tsv_row *row, void *context)
{
    char *out = context;
    sprintf(out + strlen(out), "%u:%s|%s|%d;", row->line, tsv_field(row, "b"), tsv_field(row, "a"),
            tsv_field(row, "c") != NULL);
}

// Reads `text` through a temporary file; fills `seen` and returns what tsv_read did.
static bool read_text(const char *text, char seen[TSV_ERROR], char error[TSV_ERROR])
{
    char path[] = "/tmp/test_tsv_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    *seen = *error = 0;
    bool fine = tsv_read(path, note, seen, error);
    unlink(path);
    return fine;
}

static void rows_have_fields_by_name(void **state)
{
    (void)state;
    char seen[TSV_ERROR], error[TSV_ERROR];
    assert_true(read_text("a\tb\n1\t2\n\t\n3\tx y\r\n", seen, error));
    assert_string_equal(seen, "2:2|1|0;3:||0;4:x y|3|0;");
    assert_true(read_text("a\tb\n", seen, error));
    assert_string_equal(seen, "");
}

static void errors_name_file_and_line(void **state)
{
    (void)state;
    char seen[TSV_ERROR], error[TSV_ERROR],
        wide[] = "a\tb\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\t16\t17\t18\t"
                 "19\t20\t21\t22\t23\t24\t25\t26\t27\t28\t29\t30\t31\t32\t33\n";
    assert_false(read_text("a\tb\n1\t2\n3\n", seen, error));
    assert_non_null(strstr(error, ":3: 1 fields, the header has 2"));
    assert_false(read_text("a\tb\n1\t2\t3\n", seen, error));
    assert_non_null(strstr(error, ":2: 3 fields, the header has 2"));
    assert_false(read_text("", seen, error));
    assert_non_null(strstr(error, ":1: no header line"));
    assert_false(read_text(wide, seen, error));
    assert_non_null(strstr(error, ":1: more than 32 columns"));
    assert_false(tsv_read("/nonexistent/file.tsv", note, seen, error));
    assert_non_null(strstr(error, "/nonexistent/file.tsv: No such file"));
}

static void words_and_values(void **state)
{
    (void)state;
    uint32_t w[3], v;
    assert_int_equal(tsv_words("3f800000 00000001 / ffffffff,2", w, 3), 4);
    assert_int_equal(w[0], 0x3f800000);
    assert_int_equal(w[2], 0xffffffff);
    assert_int_equal(tsv_words("", w, 3), 0);
    assert_int_equal(tsv_words("3f800000 / first result", w, 3), 0);
    assert_int_equal(tsv_words("123456789", w, 3), 0);
    assert_true(tsv_value("acc=80000001; fcr31 written 0 before", "acc=", &v));
    assert_int_equal(v, 0x80000001);
    assert_false(tsv_value("acc=80000001", "mac=", &v));
    assert_false(tsv_value("acc=x", "acc=", &v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_fields_by_name),
        cmocka_unit_test(errors_name_file_and_line),
        cmocka_unit_test(words_and_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
