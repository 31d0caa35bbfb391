import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';

const cli = path.resolve(import.meta.dirname, '../../dist/cli/kennel.js');
const home = mkdtempSync(path.join(os.tmpdir(), 'kennel-cli-language-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const kennel = (locale: string, ...argv: string[]) =>
  spawnSync(process.execPath, [cli, ...argv], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, KENNEL_HOME: path.join(home, 'none'), LC_ALL: locale },
  });

it('Commands speak the language of the environment, with errors of host and command line', () => {
  const none = path.join(home, 'none');
  expect(kennel('de_DE.UTF-8', 'status').stdout).toContain(`Kennel läuft nicht in ${none}.`);
  expect(kennel('C.UTF-8', 'status').stdout).toContain(`Kennel is not running in ${none}.`);
  const german = kennel('de_DE.UTF-8', 'task', 'show', 'x');
  expect([german.status, german.stderr]).toEqual([2, expect.stringContaining('keine Aufgabennummer')]);
  // A host inside the command refuses the agent.
  const english = kennel('C.UTF-8', 'agent', 'show', 'nobody').stderr;
  expect(english).toContain('nobody');
  const refused = kennel('de_DE.UTF-8', 'agent', 'show', 'nobody').stderr;
  expect(refused).toContain('nobody');
  expect(refused).not.toBe(english);
});

it('Commands for several agents name each agent before its error, in every language', () => {
  for (const locale of ['de_DE.UTF-8', 'C.UTF-8']) {
    const { status, stderr } = kennel(locale, 'agent', 'pause', 'one', 'two');
    expect(status).toBe(2);
    expect(stderr.match(/^kennel: (?:one|two): /gm)).toEqual(['kennel: one: ', 'kennel: two: ']);
  }
});

it('The result of a check of the audit log is in one language', () => {
  const { stdout } = kennel('de_DE.UTF-8', 'audit', 'verify');
  expect(stdout).toMatch(/^Das Prüfprotokoll ist unversehrt: 0 Zeilen.*\n(?:.*\n)?Diese Dateien allein/);
  expect(stdout).not.toMatch(/log|files/);
});

it('JSON is English in every language, with the key of the text', () => {
  const { status, stderr } = kennel('de_DE.UTF-8', 'task', 'show', 'x', '--json');
  expect([status, JSON.parse(stderr)]).toMatchObject([
    2,
    {
      error: {
        code: 'invalid_input',
        message: '"x" is not a task number.',
        said: { key: 'cliTerminal.invalidTaskNumber', values: { text: 'x' } },
      },
    },
  ]);
});
