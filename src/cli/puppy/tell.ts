import { envelopeJson, exitCodeFor } from '../../library/puppy/fit-envelope.ts';
import { humanOutputText } from '../../library/puppy/human-text.ts';
import type { Envelope } from '../../library/puppy/standalone.ts';
import { copy } from '../copy.ts';
import { printable, printableJson } from '../visible-text.ts';

// Prints the outcome of a run: one JSON document in tool mode, else text.

export interface Telling {
  readonly tool: boolean;
  readonly format: 'json' | 'table';
}

/** Subject of a gate: its preview, else its first items. */
export const shownOf = (asks: { readonly preview?: string; readonly items: readonly unknown[] }): string =>
  asks.preview ?? (asks.items.length > 0 ? envelopeJson(asks.items.slice(0, 5)) : '');

export function gateQuestionText(envelope: Extract<Envelope, { ok: true }>): string {
  const { requiresApproval: asks, requiresInput: input, runId } = envelope;
  if (input) {
    const lines = [input.prompt, copy('cliPuppy.mustFit', { schema: envelopeJson(input.responseSchema, 0) })];
    if (input.subject !== undefined)
      lines.push(copy('cliPuppy.about', { subject: envelopeJson(input.subject, 0) }));
    return [...lines, '', copy('cliPuppy.answerJson', { token: input.resumeToken })].join('\n');
  }
  if (!asks) {
    const { wakeAt } = envelope;
    return typeof wakeAt === 'number'
      ? copy('cliPuppy.waitsUntil', { time: new Date(wakeAt).toISOString(), run: runId ?? '' })
      : copy('cliPuppy.notOver', { run: runId ?? '' });
  }
  const by = asks.approvalId === undefined ? `--token ${asks.resumeToken}` : `--id ${asks.approvalId}`;
  const how = asks.kind === 'uncertain' ? '--answer done|repeat|cancel' : '--approve yes|no';
  const shown = shownOf(asks);
  const who =
    asks.requiredApprover === undefined
      ? []
      : [copy('cliPuppy.onlyApprover', { name: asks.requiredApprover })];
  return [
    asks.prompt,
    ...(shown === '' ? [] : [shown]),
    ...who,
    '',
    copy('cliPuppy.answer', { by, how }),
  ].join('\n');
}

export function tell(envelope: Envelope, { tool, format }: Telling): number {
  if (tool) process.stdout.write(`${printableJson(envelopeJson(envelope))}\n`);
  else if (!envelope.ok) {
    const run = envelope.runId === undefined ? '' : `\n${copy('cliPuppy.seeRun', { run: envelope.runId })}`;
    process.stderr.write(printable(`${copy('cliPuppy.error', { why: envelope.error.message })}${run}\n`));
  } else if (envelope.status === 'ok') {
    if (envelope.output.length > 0)
      process.stdout.write(`${printable(humanOutputText(envelope.output, format))}\n`);
  } else if (envelope.status === 'cancelled') process.stdout.write(`${copy('cliPuppy.cancelled')}\n`);
  else process.stdout.write(`${printable(gateQuestionText(envelope))}\n`);
  return exitCodeFor(envelope);
}
