import { type CommandSpec, defineCommand, loaded, type OptionSpec } from '../command.ts';

// `kennel puppy` and `puppy`. The code of a command is loaded when it runs, because checks and runs of
// workflows load much.

const standalone: OptionSpec = {
  flags: '--standalone',
  summary: 'use the folder ~/.puppy, even while Kennel runs',
};
const mode: OptionSpec = {
  flags: '--mode <human|tool>',
  summary: 'print text for people or an envelope for programs',
};
const limits: readonly OptionSpec[] = [
  { flags: '--timeout-ms <number>', summary: 'end the run after this time' },
  { flags: '--max-stdout-bytes <number>', summary: 'cut longer output' },
  { flags: '--wait', summary: 'wait for timers of any length' },
];
const file: OptionSpec = { flags: '--file <file>', summary: 'the workflow file' };

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
  summary: 'Run a workflow file, or a pipeline in quotes',
  options: [
    file,
    { flags: '--arg <name=text>', summary: 'an argument of the workflow', isRepeatable: true },
    { flags: '--args-json <json>', summary: 'all arguments as a JSON object' },
    { flags: '--cwd <folder>', summary: 'folder of the steps, below this one' },
    { flags: '--dry-run', summary: 'print the plan and run nothing' },
    { flags: '--key <text>', summary: 'idempotency key: a second run with it is the first one' },
    mode,
    ...limits,
    standalone,
  ],
  examples: [
    ['puppy run hello --arg who=Ada', 'Run an example workflow by its name'],
    ['puppy run ./deploy.puppy --dry-run', 'Print what a workflow file would do'],
    ["puppy run 'exec --json ls | table'", 'Run a pipeline'],
  ],
  run: loaded(async () => (await import('./run.ts')).runWorkflowCommand),
});

const resume = defineCommand({
  verb: 'resume',
  args: '[run]',
  summary: 'Answer a question of a run, or continue an interrupted run',
  options: [
    { flags: '--token <token>', summary: 'the question, by its token' },
    { flags: '--id <id>', summary: 'the question, by its short id' },
    { flags: '--approve <yes|no>', summary: 'answer to an approval' },
    { flags: '--decision <yes|no>', summary: 'the same as --approve' },
    { flags: '--reason <text>', summary: 'why not, with --approve no' },
    { flags: '--response-json <json>', summary: 'answer to a request for input' },
    {
      flags: '--answer <done|repeat|cancel>',
      summary: 'what became of a step that was interrupted',
    },
    { flags: '--cancel', summary: 'end the run that asks' },
    mode,
    ...limits,
    standalone,
  ],
  examples: [
    ['puppy resume --id b9d52892 --approve yes', 'Approve a question'],
    ['puppy resume --id b9d52892 --approve no --reason "Not today"', 'Reject it and say why'],
    ['puppy resume 1a2b', 'Continue a run that was interrupted'],
  ],
  run: loaded(async () => (await import('./resume.ts')).runResume),
});

const cancel = defineCommand({
  verb: 'cancel',
  args: '<run>',
  summary: 'End a run',
  options: [standalone],
  examples: [
    ['puppy cancel 1a2b', 'End a run by the beginning of its id'],
    ['puppy cancel 1a2b --json', 'Print the envelope of the cancelled run'],
    ['puppy cancel 1a2b --standalone', 'End a run of the folder ~/.puppy'],
  ],
  run: loaded(async () => (await import('./manage.ts')).runCancel),
});

const retry = defineCommand({
  verb: 'retry',
  args: '<run>',
  summary: 'Continue a failed run, or start another one from a step',
  options: [
    {
      flags: '--from [step]',
      summary: 'start another run at this step; without a step, list the steps that are possible',
    },
    ...limits,
    standalone,
  ],
  examples: [
    ['puppy retry 1a2b', 'Continue a failed run at the step that failed'],
    ['puppy retry 1a2b --from', 'List the steps from which it can start again'],
    ['puppy retry 1a2b --from build', 'Start another run at the step "build"'],
  ],
  run: loaded(async () => (await import('./manage.ts')).runRetryRun),
});

const again = defineCommand({
  verb: 'again',
  args: '<run>',
  summary: 'Run the same workflow again as another run',
  options: [{ flags: '--current', summary: 'use its file as it is now' }, ...limits, standalone],
  examples: [
    ['puppy again 1a2b', 'Repeat a run with the same file and arguments'],
    ['puppy again 1a2b --current', 'Repeat it with the changed file'],
    ['puppy again 1a2b --json', 'Print the envelope of the new run'],
  ],
  run: loaded(async () => (await import('./manage.ts')).runRepeat),
});

const list = defineCommand({
  verb: 'list',
  alias: 'runs',
  summary: 'List runs and their open questions',
  options: [
    {
      flags: '--status <ok|failed|cancelled|running|interrupted|waiting|needs_approval|needs_input>',
      summary: 'only runs in this state',
    },
    { flags: '--sort <newest|name|state>', summary: 'the order', fallback: 'newest' },
    { flags: '--limit <number>', summary: 'how many', fallback: '50' },
    standalone,
  ],
  examples: [
    ['puppy list', 'List the newest runs'],
    ['puppy list --status needs_approval', 'List the runs that wait for an approval'],
    ['puppy list --limit 5 --json', 'Print five runs as JSON'],
  ],
  run: loaded(async () => (await import('./show-runs.ts')).runRuns),
});

const show = defineCommand({
  verb: 'show',
  args: '<run>',
  summary: 'Show a run with its steps, questions and decisions',
  options: [{ flags: '--step <path>', summary: 'print the output of this step' }, standalone],
  examples: [
    ['puppy show 1a2b', 'Show a run'],
    ['puppy show 1a2b --step build', 'Print the output of the step "build"'],
    ['puppy show 1a2b --json', 'Print all facts as JSON'],
  ],
  run: loaded(async () => (await import('./show-runs.ts')).runShowRun),
});

const log = defineCommand({
  verb: 'log',
  args: '[run]',
  summary: 'Print or verify the history of a run',
  options: [
    { flags: '--verify', summary: 'check that the history is complete; without a run, of all runs' },
    { flags: '--export <file>', summary: 'write the history to a file' },
    standalone,
  ],
  examples: [
    ['puppy log 1a2b', 'Print everything that happened in a run'],
    ['puppy log --verify', 'Check the histories of all runs'],
    ['puppy log 1a2b --export run.jsonl', 'Write the history to a file'],
  ],
  run: loaded(async () => (await import('./show-runs.ts')).runLog),
});

const check = defineCommand({
  verb: 'check',
  args: '[workflow]',
  summary: 'Check a workflow without running it',
  options: [file],
  examples: [
    ['puppy check ./deploy.puppy', 'Check a workflow file'],
    ["puppy check 'exec ls | head'", 'Check a pipeline'],
    ['puppy check ./deploy.puppy --json', 'Print the findings as JSON'],
  ],
  run: loaded(async () => (await import('./check.ts')).runCheck),
});

const graph = defineCommand({
  verb: 'graph',
  args: '[workflow]',
  summary: 'Draw a workflow',
  options: [
    { flags: '--format <mermaid|svg|dot|ascii>', summary: 'format of the picture', fallback: 'mermaid' },
    file,
  ],
  examples: [
    ['puppy graph ./deploy.puppy', 'Print a Mermaid diagram'],
    ['puppy graph ./deploy.puppy --format ascii', 'Draw it in the terminal'],
    ['puppy graph ./deploy.puppy --format svg > deploy.svg', 'Write a picture'],
  ],
  run: loaded(async () => (await import('./check.ts')).runGraph),
});

const doctor = defineCommand({
  verb: 'doctor',
  summary: 'Check that workflows can run here',
  options: [standalone],
  examples: [
    ['puppy doctor', 'Check shell, folders and programs'],
    ['puppy doctor --json', 'Print the checks as JSON'],
    ['puppy doctor --standalone', 'Check the folder ~/.puppy, even while Kennel runs'],
  ],
  run: loaded(async () => (await import('./doctor.ts')).runWorkflowDoctor),
});

const version = defineCommand({
  verb: 'version',
  summary: 'Print the version',
  examples: [
    ['puppy version', 'Print the version'],
    ['puppy version --json', 'Print it as JSON'],
    ['version', 'Print the version of Kennel'],
  ],
  run: loaded(async () => (await import('../commands/version.ts')).printVersion('puppy')),
});

const all: readonly CommandSpec[] = [
  run,
  resume,
  cancel,
  retry,
  again,
  list,
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
