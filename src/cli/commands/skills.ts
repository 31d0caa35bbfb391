import { resolve } from 'node:path';
import type { MethodInput, MethodOutput } from '../../contract/methods.ts';
import type { SkillOffer, SkillState, SkillView } from '../../contract/skill-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText, flatLines, type TableCell, type Tone } from '../table.ts';
import { askYes, CommandFailure, canAsk, commandFailure, exitFailed, exitOk, show } from '../terminal.ts';
import { printable } from '../visible-text.ts';

interface Flags {
  readonly json?: boolean;
  readonly agent?: string;
  readonly yes?: boolean;
  readonly only?: string;
}

const ownerOf = ({ agent }: Flags) => (agent === undefined ? {} : { agent });

const tones: Readonly<Record<SkillState, Tone>> = {
  on: 'good',
  off: 'quiet',
  waiting: 'attention',
  changed: 'attention',
  hidden: 'quiet',
  broken: 'bad',
};

const warningLines = (warnings: SkillView['warnings']): string[] =>
  warnings.map((warning) => `  ${shown(warning)}`);

function skillRow({ name, state, place, description }: SkillView): readonly TableCell[] {
  const short = description.length > 60 ? `${description.slice(0, 59)}…` : description;
  return [
    name,
    { text: copy(`cliSkills.state_${state}`), tone: tones[state] },
    copy(`cliSkills.place_${place}`),
    short,
  ];
}

async function runSkillsList(args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const listed = await call('skills.list', args[0] ? { agent: args[0] } : {});
    const heads = [
      copy('cliHeads.name'),
      copy('cliHeads.state'),
      copy('cliSkills.place'),
      copy('cliSkills.does'),
    ];
    const warned = listed.skills.filter(({ warnings }) => warnings.length > 0);
    const text =
      listed.skills.length === 0
        ? copy('cliSkills.none')
        : [
            columnsText(heads, listed.skills.map(skillRow)),
            ...warned.flatMap(({ name, warnings }) => [`${name}:`, ...warningLines(warnings)]),
          ];
    show(flags.json === true, listed, text);
    return exitOk;
  });
}

function describeSkill({ skill, files }: MethodOutput<'skills.show'>): string[] {
  const { name, state, place, folder, digest, origin, warnings } = skill;
  return [
    ...flatLines([
      [copy('cliSkills.name'), name],
      [copy('cliSkills.stateIs'), copy(`cliSkills.state_${state}`)],
      [copy('cliSkills.placeIs'), copy(`cliSkills.place_${place}`)],
      ...(folder === '' ? [] : [[copy('cliSkills.folder'), folder] as const]),
      ...(origin === null ? [] : [[copy('cliSkills.from'), origin.source] as const]),
      ...(origin?.commit ? [[copy('cliSkills.commit'), origin.commit] as const] : []),
      [copy('cliSkills.digest'), digest],
    ]),
    ...warningLines(warnings),
    ...files.flatMap(({ path, size, contents }) => [
      '',
      `== ${path}`,
      contents ?? copy('cliSkills.noText', { size: copy('cliValues.bytes', { bytes: size }) }),
    ]),
  ];
}

async function runSkillsShow(args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const found = await call('skills.show', { ...ownerOf(flags), name: args[0] ?? '' });
    show(flags.json === true, found, describeSkill(found).join('\n').replace(/\n$/, ''));
    return exitOk;
  });
}

const offerLines = ({ name, change, digest, warnings, diff }: SkillOffer): string[] => [
  copy(`cliSkills.offer_${change}`, { name }),
  `  ${digest}`,
  ...warningLines(warnings),
  ...(diff === '' ? [] : [diff.replace(/\n$/, '')]),
];

/** Throws unless the operator agrees to exactly these files. */
async function mustAgree(offers: readonly SkillOffer[], question: string): Promise<void> {
  process.stderr.write(`${printable(offers.flatMap(offerLines).join('\n'))}\n`);
  if (offers.some(({ cut }) => cut))
    throw commandFailure('too_large', 'cliSkills.cut', {}, { help: 'cliSkills.readThenYes' });
  if (!canAsk())
    throw commandFailure('invalid_input', 'cliMemory.needsYes', {}, { help: 'cliSkills.readThenYes' });
  if (!(await askYes(question))) throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
}

async function installOffers(
  { call }: Pick<HostSession, 'call'>,
  ask: MethodInput<'skills.preview'>,
  flags: Flags,
): Promise<number> {
  const { source, offers: all } = await call('skills.preview', ask);
  const only = flags.only?.split(',').map((name) => name.trim());
  const missing = only?.find((name) => !all.some((offer) => offer.name === name));
  if (missing !== undefined) throw commandFailure('not_found', 'cliSkills.notInSource', { name: missing });
  const offers = all.filter(({ name, change }) => change !== 'same' && (only?.includes(name) ?? true));
  if (offers.length === 0) {
    show(flags.json === true, { installed: [] }, copy('cliSkills.upToDate'));
    return exitOk;
  }
  if (flags.yes !== true) await mustAgree(offers, copy('cliSkills.installThem', { count: offers.length }));
  const skills = offers.map(({ name, digest }) => ({ name, digest }));
  const done = await call('skills.install', { ...ownerOf(flags), source, skills });
  const text = done.installed.map((name) => copy('cliSkills.installed', { name }));
  show(flags.json === true, done, text);
  return exitOk;
}

async function runSkillsInstall(args: readonly string[], flags: Flags): Promise<number> {
  const source = resolve(args[0] ?? '');
  return withHost('files', (session) => installOffers(session, { ...ownerOf(flags), source }, flags));
}

async function runSkillsUpdate(args: readonly string[], flags: Flags): Promise<number> {
  const name = args[0] ?? '';
  return withHost('files', (session) => installOffers(session, { ...ownerOf(flags), name }, flags));
}

async function runSkillsRemove(args: readonly string[], flags: Flags): Promise<number> {
  const name = args[0] ?? '';
  return withHost('files', async ({ call }) => {
    await call('skills.remove', { ...ownerOf(flags), name });
    show(flags.json === true, { name, removed: true }, copy('cliSkills.removed', { name }));
    return exitOk;
  });
}

const switching = (on: boolean) => async (args: readonly string[], flags: Flags) => {
  const [agent = '', name = ''] = args;
  return withHost('files', async ({ call }) => {
    await call('skills.switch', { agent, name, on });
    show(
      flags.json === true,
      { agent, name, on },
      copy(on ? 'cliSkills.on' : 'cliSkills.off', { agent, name }),
    );
    return exitOk;
  });
};

async function runSkillsAccept(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', name = ''] = args;
  return withHost('files', async ({ call }) => {
    const found = await call('skills.show', { agent, name });
    if (found.skill.state !== 'waiting') {
      show(flags.json === true, { agent, name, accepted: false }, copy('cliSkills.nothingWaits', { name }));
      return exitOk;
    }
    if (flags.yes !== true) {
      process.stderr.write(`${printable(describeSkill(found).join('\n'))}\n`);
      if (!canAsk())
        throw commandFailure('invalid_input', 'cliMemory.needsYes', {}, { help: 'cliSkills.readThenYes' });
      if (!(await askYes(copy('cliSkills.acceptIt', { agent }))))
        throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
    }
    const { folder, digest } = found.skill;
    await call('skills.accept', { agent, name, folder, digest });
    show(flags.json === true, { agent, name, accepted: true }, copy('cliSkills.accepted', { agent, name }));
    return exitOk;
  });
}

async function runSkillsValidate(args: readonly string[], flags: Flags): Promise<number> {
  const { validateFolder } = await import('../../host/skills/validate-folder.ts');
  const checked = validateFolder(resolve(args[0] ?? ''));
  if (!checked.ok) throw new CommandFailure(checked.error);
  const { name, faults, advice } = checked.value;
  const verdict = copy(faults.length === 0 ? 'cliSkills.valid' : 'cliSkills.invalid', { name });
  show(flags.json === true, { name, valid: faults.length === 0, faults, advice }, [
    verdict,
    ...warningLines([...faults, ...advice]),
  ]);
  return faults.length === 0 ? exitOk : exitFailed;
}

const agentOption = { flags: '--agent <agent>' } as const;
const yesOption = { flags: '--yes' } as const;

export const skillsCommands: readonly CommandSpec[] = [
  defineCommand({
    verb: 'list',
    args: '[agent]',
    isDefault: true,
    examples: ['skills list', 'skills list guide', 'skills list guide --json'],
    run: runSkillsList,
  }),
  defineCommand({
    verb: 'show',
    args: '<skill>',
    options: [agentOption],
    examples: ['skills show tables', 'skills show tables --agent guide', 'skills show tables --json'],
    run: runSkillsShow,
  }),
  defineCommand({
    verb: 'install',
    args: '<source>',
    options: [agentOption, { flags: '--only <skills>' }, yesOption],
    examples: [
      'skills install ./tables',
      'skills install skills.zip --only tables,reports',
      'skills install team.bundle --agent guide --yes',
    ],
    run: runSkillsInstall,
  }),
  defineCommand({
    verb: 'update',
    args: '<skill>',
    options: [agentOption, yesOption],
    examples: ['skills update tables', 'skills update tables --agent guide', 'skills update tables --yes'],
    run: runSkillsUpdate,
  }),
  defineCommand({
    verb: 'remove',
    args: '<skill>',
    options: [agentOption],
    examples: ['skills remove tables', 'skills remove tables --agent guide', 'skills remove tables --json'],
    run: runSkillsRemove,
  }),
  defineCommand({
    verb: 'enable',
    args: '<agent> <skill>',
    examples: ['skills list guide', 'skills enable guide skill-writing', 'skills enable guide tables --json'],
    run: switching(true),
  }),
  defineCommand({
    verb: 'disable',
    args: '<agent> <skill>',
    examples: ['skills list guide', 'skills disable guide tables', 'skills disable guide tables --json'],
    run: switching(false),
  }),
  defineCommand({
    verb: 'accept',
    args: '<agent> <skill>',
    options: [yesOption],
    examples: ['skills list guide', 'skills accept guide tables', 'skills accept guide tables --yes'],
    run: runSkillsAccept,
  }),
  defineCommand({
    verb: 'validate',
    args: '<folder>',
    examples: ['skills validate ./tables', 'skills validate .', 'skills validate ./tables --json'],
    run: runSkillsValidate,
  }),
];
