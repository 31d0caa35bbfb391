// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are templates of a workflow file
import { describe, expect, test } from 'vitest';
import { processorMs, promised } from '../../../../test/fakes/patience.ts';
import { englishText } from '../../../language/host-message.ts';
import { feedsShell } from './other-language.ts';
import { readWorkflow } from './read-workflow.ts';
import { renderShell, unsafePlace } from './shell-text.ts';
import { parseTemplate } from './template.ts';

const file = (step: object) =>
  readWorkflow(JSON.stringify({ args: { v: { default: 'x' } }, steps: [{ id: 'a', ...step }] }));
/** Programs that the check names. */
const warned = (step: object): readonly string[] =>
  file(step)
    .findings.filter(({ rule }) => rule === 'value-in-code')
    .map(({ message }) => /code for (\S+),/.exec(englishText(message))?.[1] ?? '');
const template = (text: string) =>
  parseTemplate(text, { steps: new Set(), loops: new Set(), args: new Set(['v']) });

describe('Value in code of another language', () => {
  test.each([
    ['python', `python3 -c "print('\${v}')"`],
    ['python with flags and a path', '/usr/bin/python3.12 -I -c "print(${v})"'],
    ['a raw one', 'python3 -c "print(${raw:v})"'],
    ['a variable of the step', 'python3 -c "print(\'$BODY\')"'],
    ['a variable in braces', 'python3 -c "print(\'${BODY}\')"'],
    ['the variable of an argument', 'python3 -c "print(\'$PUPPY_ARG_V\')"'],
    ['perl that goes through lines', "perl -ne 'print if /${v}/' mail.txt"],
    ['perl with its code in the flag', "perl -pe's/${v}/x/' mail.txt"],
    ['ruby', 'ruby -e "puts \'${v}\'"'],
    ['node', 'node -e "console.log(\'${v}\')"'],
    ['node with a long flag', 'node --eval="x(${v})"'],
    ['node that prints', 'node -p ${v}'],
    ['php', 'php -r "echo \'${v}\';"'],
    ['awk', "awk '/${v}/ {print $1}' mail.txt"],
    ['awk with a separator', 'awk -F , \'$1 == "${v}"\' mail.txt'],
    ['sed', 'sed "s/name/${v}/" mail.txt'],
    ['sed with flags', 'sed -i -e "s/name/${v}/" mail.txt'],
    ['jq', 'jq ".[] | select(.name == \\"${v}\\")" list.json'],
    ['jq behind an argument', 'jq --arg a b ".${v}" list.json'],
    ['sqlite3', 'sqlite3 -json my.db "select * from t where name = \'${v}\'"'],
    ['psql', 'psql mine -c "select \'${v}\'"'],
    ['what is written into python', 'echo "print(${v})" | python3'],
    ['what is written into a database', 'printf "select \'%s\'" ${v} | sqlite3 my.db'],
    ['another command of the line', 'cd x && LANG=C time python3 -c "print(${v})" > out'],
    ['a substitution', 'echo "$(python3 -c "print(${v})")"'],
    ['a program that another one starts', 'find . -name "*.md" -exec sed -i "s/x/${v}/" {} +'],
    ['many programs', 'ls | xargs -n 1 awk "/${v}/"'],
    ['a condition', 'if python3 -c "f(${v})"; then echo yes; fi'],
    ['a shell, by a variable', 'sh -c "echo $BODY"'],
    ['eval, by a variable', 'eval "$PUPPY_ARG_V"'],
    ['another computer, by a variable', 'ssh -p 22 host "cat $BODY"'],
    ['what is written into a shell, by a variable', 'echo "ls $BODY" | sh'],
  ])('is reported: %s (T9)', (_, run) => {
    expect(warned({ run, env: { BODY: 'x' } })).toHaveLength(1);
  });

  test.each([
    ['an argument', 'python3 -c "import sys; print(sys.argv[1])" "${v}"'],
    ['the argument of a script', 'python3 tool.py -c "${v}"'],
    ['standard input', 'echo ${v} | python3 tool.py'],
    ['what another program reads', 'cat ${v} | python3'],
    ['code in single quotes', 'python3 -c \'import os; print(os.environ["BODY"])\''],
    ['a variable that single quotes keep', 'sh -c \'echo "$BODY"\''],
    ['a variable of the shell itself', 'python3 -c "print(\'$HOME\')"'],
    ['a variable of awk', "awk -v name=${v} '$1 == name' mail.txt"],
    ['the files of awk', "awk '{print $1}' ${v}"],
    ['the files of sed', "sed -n -e '1p' ${v}"],
    ['a script in a file', 'sed -f change.sed ${v}'],
    ['an argument of jq', "jq --arg name ${v} '.[] | select(.name == $name)' ${v}"],
    ['the name of a database', "sqlite3 ${v} 'select 1'"],
    ['a file that is written', "sqlite3 my.db 'select 1' > ${v}"],
    ['a word that is no program', 'echo python3 -c ${v}; grep awk ${v}'],
    ['a comment', "awk '{print}' x # awk ${v}"],
    ['names of every object', 'jq . constructor ${v}; python3 __proto__ ${v}'],
  ])('is not reported outside of code: %s', (_, run) => {
    expect(warned({ run, env: { BODY: 'x' } })).toEqual([]);
  });

  test('is reported in the programs of a pipeline (T9)', () => {
    expect(warned({ pipeline: 'exec --json python3 -c "print(${v})" | head --n 1' })).toEqual(['python3']);
    expect(warned({ pipeline: 'exec --stdin raw jq ".${v}"' })).toEqual(['jq']);
    expect(warned({ pipeline: 'exec python3 tool.py "${v}"' })).toEqual([]);
  });

  test('is reported with a hint to use an environment variable', () => {
    const [finding] = file({ run: 'python3 -c "print(${v})"' }).findings;
    expect(finding).toMatchObject({ severity: 'warning', path: 'a' });
    expect(englishText(finding?.hint ?? '')).toContain('os.environ["VALUE"]');
  });

  test('is checked in time linear to the text length (T25)', () => {
    const deep = `${'$('.repeat(60_000)}python3 -c \${v}`;
    const wide = 'echo a | sh; '.repeat(20_000);
    const begun = processorMs();
    expect(feedsShell(template(deep + wide))).toBe(false);
    expect(processorMs() - begun).toBeLessThan(promised(5_000));
  });
});

describe('Value in text that a shell runs', () => {
  const shell = (text: string, value: string): string | null => {
    const told = renderShell(template(text), { args: { v: value }, steps: {}, loop: {} });
    return told.ok ? told.value : null;
  };

  test.each([
    ['by echo', 'echo "ls ${v}" | sh'],
    ['by printf', "printf 'ls %s' ${v} | /bin/bash -e"],
    ['with words of its own', 'echo ls ${v} | bash -s -- one'],
    ['on another computer or as another user', 'echo "ls ${v}" | sudo sh'],
    ['behind a line with other signs', 'true; echo "a; b & ${v}" | sh'],
    ['through other programs', 'echo "ls ${v}" | tee list | sed s/a/b/ | sh'],
    ['by what is given a text', 'cat <<< "ls ${v}" | sh'],
    ['by one of several commands', '{ echo "ls ${v}"; date; } | sh'],
    ['by a shell of its own', '(date; echo "ls ${v}") | sh'],
    ['in a loop', 'for i in 1 2; do echo "ls ${v}"; done | sh'],
  ])('is refused in text piped to a shell unless it is a plain word: %s (T9)', (_, text) => {
    expect(shell(text, 'x; id')).toBeNull();
    expect(shell(text, '$(id)')).toBeNull();
    expect(shell(text, 'notes.md')).toContain('notes.md');
    expect(unsafePlace(template(text))).toBe('plain');
  });

  test.each([
    ['what a substitution writes', 'sh <(echo ${v})'],
    ['what a substitution writes, by its path', '/bin/bash -e <(printf "%s" ${v})'],
    ['what a substitution writes, as its input', 'bash < <(echo ${v})'],
    ['what is sourced from a substitution', '. <(echo ${v})'],
    ['a text that env takes apart', 'env -S "${v}"'],
    ['a text that env takes apart, in one word', 'env -iS${v} date'],
    ['a text that env takes apart, by its long name', 'env --split-string="${v}"'],
    ['a file that is written and run', 'echo "ls ${v}" > run.sh; sh run.sh'],
    ['a file that is written and run by its name', 'printf %s ${v} > ./f && chmod +x f && ./f'],
    ['a file that is written and sourced', 'echo ${v} >> f; . ./f'],
    ['a file that is written and read by a shell', 'echo ${v} > f; bash -e < f'],
    ['a file in a variable', 'f=$(mktemp); echo ${v} > "$f"; sh "$f"'],
    ['a file that tee writes', 'echo ${v} | tee f; sh f'],
    ['a file that several commands write', '{ echo ${v}; date; } > f; sh f'],
    ['a script of another language', 'echo "print(${v})" > f.py; python3 f.py'],
  ])('is refused in text run otherwise unless it is a plain word: %s (T9)', (_, text) => {
    expect(shell(text, 'x; id')).toBeNull();
    expect(shell(text, 'notes.md')).toContain('notes.md');
    expect(unsafePlace(template(text))).toBe('plain');
  });

  test.each([
    'echo ${v} > notes.txt; sh build.sh',
    'echo hi > run.sh; sh run.sh ${v}',
    'diff <(sort ${v}) <(sort b)',
    'env -i LANG=C cat ${v}',
    'grep ${v} list > found; cat found',
  ])('is allowed if the written text is not run: %s', (text) =>
    expect(shell(text, 'a b')).toContain("'a b'"),
  );

  test.each([
    'echo ${v} || sh',
    'echo ${v} | sh script.sh',
    'cat ${v} | sh',
    'echo ${v} | tee sh',
    'echo ${v} | tee list; echo ls | sh',
    '{ date; } | sh; echo ${v}',
  ])('is allowed if no shell reads it: %s', (text) => expect(shell(text, 'a b')).toContain("'a b'"));
});
