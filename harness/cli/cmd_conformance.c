int cmd_conformance(int argc, char **argv);
int cmd_conformance(int argc, char **argv)
{
    (void)argc;(void)argv;
    return 2;
}
