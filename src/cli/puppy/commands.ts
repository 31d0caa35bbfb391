import { type CommandSpec, defineCommand, loaded, type OptionSpec } from '../command.ts';

// `kennel puppy` and `puppy`. The code of a command is loaded when it runs, because checks and runs of
// workflows load much.

const standalone: OptionSpec = {
  flags: '--standalone',
};
const mode: OptionSpec = {
  flags: '--mode <human|tool>',
};
const limits: readonly OptionSpec[] = [
  { flags: '--timeout-ms <number>' },
  { flags: '--max-stdout-bytes <number>' },
  { flags: '--wait' },
];
const file: OptionSpec = { flags: '--file <file>' };

/** A closed output pipe is not an error. */
function endQuietlyWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

const run = defineCommand({
  verb: 'run',
  args: '[workflow]',
  options: [
    file,
    { flags: '--arg <name=text>', isRepeatable: true },
    { flags: '--args-json <json>' },
    { flags: '--cwd <folder>' },
    { flags: '--dry-run' },
    { flags: '--key <text>' },
    mode,
    ...limits,
    standalone,
  ],
  examples: [
    'puppy run hello --arg who=Ada',
    'puppy run ./deploy.puppy --dry-run',
    "puppy run 'exec --json ls | table'",
  ],
  run: loaded(async () => (await import('./run.ts')).runWorkflowCommand),
});

const resume = defineCommand({
  verb: 'resume',
  args: '[run]',
  options: [
    { flags: '--token <token>' },
    { flags: '--id <id>' },
    { flags: '--approve <yes|no>' },
    { flags: '--decision <yes|no>' },
    { flags: '--reason <text>' },
    { flags: '--response-json <json>' },
    {
      flags: '--answer <done|repeat|cancel>',
    },
    { flags: '--cancel' },
    mode,
    ...limits,
    standalone,
  ],
  examples: [
    'puppy resume --id b9d52892 --approve yes',
    'puppy resume --id b9d52892 --approve no --reason "Not today"',
    'puppy resume 1a2b',
  ],
  run: loaded(async () => (await import('./resume.ts')).runResume),
});

const cancel = defineCommand({
  verb: 'cancel',
  args: '<run>',
  options: [standalone],
  examples: ['puppy cancel 1a2b', 'puppy cancel 1a2b --json', 'puppy cancel 1a2b --standalone'],
  run: loaded(async () => (await import('./manage.ts')).runCancel),
});

const retry = defineCommand({
  verb: 'retry',
  args: '<run>',
  options: [
    {
      flags: '--from [step]',
    },
    ...limits,
    standalone,
  ],
  examples: ['puppy retry 1a2b', 'puppy retry 1a2b --from', 'puppy retry 1a2b --from build'],
  run: loaded(async () => (await import('./manage.ts')).runRetryRun),
});

const again = defineCommand({
  verb: 'again',
  args: '<run>',
  options: [{ flags: '--current' }, ...limits, standalone],
  examples: ['puppy again 1a2b', 'puppy again 1a2b --current', 'puppy again 1a2b --json'],
  run: loaded(async () => (await import('./manage.ts')).runRepeat),
});

const list = defineCommand({
  verb: 'list',
  alias: 'runs',
  options: [
    {
      flags: '--status <ok|failed|cancelled|running|interrupted|waiting|needs_approval|needs_input>',
    },
    { flags: '--archived' },
    { flags: '--sort <newest|name|state>', fallback: 'newest' },
    { flags: '--limit <number>', fallback: '50' },
    standalone,
  ],
  examples: ['puppy list', 'puppy list --status needs_approval', 'puppy list --limit 5 --json'],
  run: loaded(async () => (await import('./show-runs.ts')).runRuns),
});

const archive = defineCommand({
  verb: 'archive',
  args: '[run...]',
  options: [{ flags: '--older-than <days>' }, standalone],
  examples: ['puppy archive 1a2b', 'puppy archive --older-than 30d', 'puppy list --archived'],
  run: loaded(async () => (await import('./archive-runs.ts')).runArchiveRuns),
});

const unarchive = defineCommand({
  verb: 'unarchive',
  args: '<run...>',
  options: [standalone],
  examples: ['puppy unarchive 1a2b', 'puppy unarchive 1a2b 3c4d', 'puppy list --archived'],
  run: loaded(async () => (await import('./archive-runs.ts')).runUnarchiveRuns),
});

const show = defineCommand({
  verb: 'show',
  args: '<run>',
  options: [{ flags: '--step <path>' }, standalone],
  examples: ['puppy show 1a2b', 'puppy show 1a2b --step build', 'puppy show 1a2b --json'],
  run: loaded(async () => (await import('./show-runs.ts')).runShowRun),
});

const log = defineCommand({
  verb: 'log',
  args: '[run]',
  options: [{ flags: '--verify' }, { flags: '--export <file>' }, standalone],
  examples: ['puppy log 1a2b', 'puppy log --verify', 'puppy log 1a2b --export run.jsonl'],
  run: loaded(async () => (await import('./show-runs.ts')).runLog),
});

const check = defineCommand({
  verb: 'check',
  args: '[workflow]',
  options: [file],
  examples: [
    'puppy check ./deploy.puppy',
    "puppy check 'exec ls | head'",
    'puppy check ./deploy.puppy --json',
  ],
  run: loaded(async () => (await import('./check.ts')).runCheck),
});

const graph = defineCommand({
  verb: 'graph',
  args: '[workflow]',
  options: [{ flags: '--format <mermaid|svg|dot|ascii>', fallback: 'mermaid' }, file],
  examples: [
    'puppy graph ./deploy.puppy',
    'puppy graph ./deploy.puppy --format ascii',
    'puppy graph ./deploy.puppy --format svg > deploy.svg',
  ],
  run: loaded(async () => (await import('./check.ts')).runGraph),
});

const doctor = defineCommand({
  verb: 'doctor',
  options: [standalone],
  examples: ['puppy doctor', 'puppy doctor --json', 'puppy doctor --standalone'],
  run: loaded(async () => (await import('./doctor.ts')).runWorkflowDoctor),
});

const version = defineCommand({
  verb: 'version',
  examples: ['puppy version', 'puppy version --json', 'version'],
  run: loaded(async () => (await import('../commands/version.ts')).printVersion('puppy')),
});

const all: readonly CommandSpec[] = [
  run,
  resume,
  cancel,
  retry,
  again,
  list,
  archive,
  unarchive,
  show,
  log,
  check,
  graph,
  doctor,
  version,
];

export const puppyCommands: readonly CommandSpec[] = all.map((spec) => ({
  ...spec,
  run: (args, flags, number) => {
    endQuietlyWithReader();
    return spec.run(args, flags, number);
  },
}));
