// What a test program asserts about the vector files: all rows agree, and the controls are noticed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/ee_vectors.h"

static void check(struct vector_pass *p, size_t file)
{
    char error[TSV_ERROR];
    if (!vectors_check(p, file, error))
        fail_msg("%s", error);
}

void vectors_assert_all(struct vector_pass *p)
{
    unsigned failed = 0;
    p->report = true;
    for (size_t f = 0; f < vector_file_count; f++) {
        check(p, f);
        failed += p->failed;
        if (p->checked != vector_files[f].rows || p->text_only != vector_files[f].text_only)
            fail_msg("%s: %u rows checked and %u printed as text, there should be %u and %u",
                     vector_files[f].path, p->checked, p->text_only, vector_files[f].rows,
                     vector_files[f].text_only);
    }
    p->report = false;
    assert_int_equal(failed, 0);
}

void vectors_assert_spoiled(struct vector_pass *p)
{
    p->spoil = true;
    for (size_t f = 0; f < vector_file_count; f++) {
        check(p, f);
        if (p->failed != vector_files[f].rows)
            fail_msg("%s: %u of %u spoiled rows agree", vector_files[f].path,
                     vector_files[f].rows - p->failed, vector_files[f].rows);
    }
    p->spoil = false;
}

// The next row of the table, in a circle, with the same operands and class.
static const struct r5900_insn *sibling(const struct r5900_insn *insn, size_t index)
{
    for (size_t i = index + 1;; i++) {
        const struct r5900_insn *other = r5900_model_insn(i);
        if (!other)
            other = r5900_model_insn(i = 0);
        if (strcmp(other->operands, insn->operands) == 0 && other->class == insn->class)
            return other;
    }
}

void vectors_assert_exchanged(struct vector_pass *p, unsigned expected)
{
    const struct r5900_insn *insn;
    unsigned exchanged = 0;
    for (size_t i = 0; (insn = r5900_model_insn(i)) != NULL; i++) {
        unsigned failed = 0;
        p->replaced = insn;
        p->replacement = sibling(insn, i);
        p->uses = 0;
        if (p->replacement == insn)
            continue;
        for (size_t f = 0; f < vector_file_count; f++) {
            check(p, f);
            failed += p->failed;
        }
        if (p->uses != 0 && failed == 0)
            fail_msg("%s run as %s agrees with every row", insn->name, p->replacement->name);
        exchanged += p->uses != 0;
    }
    p->replaced = p->replacement = NULL;
    assert_int_equal(exchanged, expected);
}
