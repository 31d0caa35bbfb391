/** English forms of the verbs that begin the title of a tool action: "write", "writing", "wrote". */

const verbs: Readonly<Record<string, readonly [running: string, done: string]>> = {
  write: ['writing', 'wrote'],
  overwrite: ['overwriting', 'overwrote'],
  create: ['creating', 'created'],
  edit: ['editing', 'edited'],
  change: ['changing', 'changed'],
  read: ['reading', 'read'],
  list: ['listing', 'listed'],
  look: ['looking', 'looked'],
  search: ['searching', 'searched'],
  find: ['finding', 'found'],
  run: ['running', 'ran'],
  send: ['sending', 'sent'],
  post: ['posting', 'posted'],
  note: ['noting', 'noted'],
  add: ['adding', 'added'],
  append: ['appending', 'appended'],
  remember: ['remembering', 'remembered'],
  forget: ['forgetting', 'forgot'],
  delete: ['deleting', 'deleted'],
  remove: ['removing', 'removed'],
  move: ['moving', 'moved'],
  copy: ['copying', 'copied'],
  make: ['making', 'made'],
  show: ['showing', 'showed'],
  ask: ['asking', 'asked'],
  use: ['using', 'used'],
  begin: ['beginning', 'began'],
  start: ['starting', 'started'],
  cancel: ['cancelling', 'cancelled'],
  fetch: ['fetching', 'fetched'],
  finish: ['finishing', 'finished'],
  give: ['giving', 'gave'],
  install: ['installing', 'installed'],
  think: ['thinking', 'thought'],
};

export const isVerb = (word: string): boolean => Object.hasOwn(verbs, word.toLowerCase());

/** The title in another form of its first word; unchanged if that is no known verb. */
export function conjugate(title: string, phase: 'running' | 'done'): string {
  const [first = '', ...rest] = title.split(' ');
  const forms = isVerb(first) ? verbs[first.toLowerCase()] : undefined;
  if (!forms) return title;
  return `${phase === 'running' ? forms[0] : forms[1]} ${rest.join(' ')}`.trim();
}
