import { describe, expect, it } from 'vitest';
import { coverage, hostTexts, unsaidTemplates } from '../../scripts/host-texts.ts';
import { stepTitle } from '../../src/core/agents/step-words.ts';
import { catalogSentences, germanOfHost } from '../../src/language/german/host-said.ts';
import { doingSentences, doings } from '../../src/language/german/sentences/doings.ts';
import { createHostReader } from '../../src/language/host-sentences.ts';

const texts = hostTexts();
const said = texts.map(({ text }) => text);

/** Texts composed of a verb and a separate object. */
const composed = [
  'install the MCP server {name}',
  'list the members of {channel}',
  'list {path}',
  'read messages of {channel}',
  'read {path}',
  'remove its MCP server {name}',
  'remove with {program}',
  'change with {program}',
  'search {path}',
];

describe('sentences of the host in another language', () => {
  it('are still said by the host, word for word', () => {
    const others = Object.fromEntries(
      Object.entries(germanOfHost).filter(
        ([english]) => !Object.hasOwn(doingSentences, english) && !Object.hasOwn(catalogSentences, english),
      ),
    );
    // Texts with two sentences, a choice, two placeholders, or braces that people are to write.
    const inPieces = [
      'Not allowed: {=why}, and it works unattended, so nobody is asked.',
      "There is no agent '{id}'; did you mean '{close}'?",
      '{slug}: {=use}.',
      '{=some}, {=next}',
      '{name}: {=message}',
      '{amount} tokens',
      '1 token',
      'For a variable of the shell write {ref}.',
      "Write title='{{name}}'.",
      'where needs a condition: path OP value, with = == != < <= > >=',
      'The file: {=what}',
      'It {=what}.',
      'The file, {field}: {=what}',
      'Argument "{name}": {=what}',
      'Argument "{name}", {field}: {=what}',
      'Unknown field "{name}" (did you mean "{meant}"?).',
      '{place} must be an object.',
      '{place} must be a list.',
      '{place} must be a list of names.',
      '{place} is nested too deeply.',
      '{place} must be one of {values}.',
      'The run goes on only when this is approved. {workflow} was started by you.',
      'The run goes on only when this is approved. {workflow} was started by {name}.',
      'The run goes on with what you answer. {workflow} was started by you.',
      'The run goes on with what you answer. {workflow} was started by {name}.',
      'Kennel ended between the start of this step and its end, so nobody knows whether it did its work. {workflow} was started by you.',
      'Kennel ended between the start of this step and its end, so nobody knows whether it did its work. {workflow} was started by {name}.',
    ];
    expect(unsaidTemplates(others, said).filter((english) => !inPieces.includes(english))).toEqual([]);
  });

  it('bites when a sentence has changed', () => {
    const table = { 'Low risk.': 'a', 'Low risk, mostly.': 'b', 'wants to {=what}': 'c' };
    expect(unsaidTemplates(table, ['Low risk.', 'wants to {}'])).toEqual(['Low risk, mostly.']);
  });

  it('of what a tool does are those that tools have, in all the times that steps have', () => {
    const table = Object.fromEntries(doings.map(([english, german]) => [english, german]));
    expect(unsaidTemplates(table, said).sort()).toEqual([...composed].sort());
    const read = createHostReader(doingSentences, 'de');
    for (const [english] of doings) {
      const title = english.replaceAll(/\{\w+\}/g, 'x');
      for (const phase of ['running', 'done', 'not_done'] as const)
        expect({ title, phase, german: read(stepTitle(title, phase)) }).not.toMatchObject({ german: null });
    }
  });

  it('grow with the host: of what errors say, at least this part is there', () => {
    const { all, known } = coverage(germanOfHost, texts);
    expect(known / all).toBeGreaterThan(0.42);
  });
});
