/** Suite `harness-output`: how the output of programs without a protocol is read. */
import { z } from 'zod';
import { hermesModel, linesReader } from '../../src/core/runtimes/lines/lines-output.ts';
import { expectSame, type Section, type Suite, testCase } from './case.ts';

const geminiCases = z.array(z.object({ stdout: z.string(), reply_session_error: z.array(z.string()) }));
const hermesCases = z.array(z.object({ stdout: z.string(), reply_session: z.array(z.string()) }));
const modelCases = z.array(z.object({ in: z.string(), out: z.string() }));

const gemini: Section = (value) =>
  geminiCases.parse(value).map(({ stdout, reply_session_error: expected }) =>
    testCase(JSON.stringify(stdout), () => {
      const { reply, sessionId, error } = linesReader('gemini-cli')(stdout);
      expectSame([reply, sessionId, error], expected, 'reply, session, error');
    }),
  );

const hermes: Section = (value) =>
  hermesCases.parse(value).map(({ stdout, reply_session: expected }) =>
    testCase(JSON.stringify(stdout), () => {
      const { reply, sessionId } = linesReader('hermes')(stdout);
      expectSame([reply, sessionId], expected, 'reply, session');
    }),
  );

const models: Section = (value) =>
  modelCases
    .parse(value)
    .map(({ in: name, out }) => testCase(`"${name}"`, () => expectSame(hermesModel(name), out, 'model')));

export const harnessOutput: Suite = { gemini_parse: gemini, hermes_parse: hermes, hermes_model: models };
