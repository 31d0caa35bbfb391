/**
 * Preloaded with `--import`: kills the program with SIGKILL at the database commit that `KENNEL_KILL_AT`
 * names (`3:before`, `3:after`), counted in the database file `KENNEL_KILL_DATABASE`, or in all. The folder
 * `KENNEL_KILL_NOTES` receives the number of commits, and the size of the effects file at the last one. A
 * file `at` written there names another commit, counted from then on.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

let [fatal = '', moment = ''] = (process.env.KENNEL_KILL_AT ?? '').split(':');
const only = process.env.KENNEL_KILL_DATABASE ?? '';
const notes = process.env.KENNEL_KILL_NOTES ?? '.';
const order = path.join(notes, 'at');
const load = process.dlopen;
let commits = 0;

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function readOrder() {
  if (!existsSync(order)) return;
  [fatal = '', moment = ''] = readFileSync(order, 'utf8').split(':');
  rmSync(order);
  commits = 0;
}

function mortal(exec) {
  return function execOrDie(sql) {
    const counts = sql === 'COMMIT' && (only === '' || path.basename(this.name) === only);
    if (!counts) return exec.call(this, sql);
    readOrder();
    commits += 1;
    const now = commits === Number(fatal);
    if (now && moment === 'before') die();
    const done = exec.call(this, sql);
    const effects = path.join(process.cwd(), 'effects.log');
    writeFileSync(path.join(notes, 'effects'), String(existsSync(effects) ? statSync(effects).size : 0), {
      mode: 0o600,
    });
    writeFileSync(path.join(notes, 'commits'), String(commits), { mode: 0o600 });
    if (now) die();
    return done;
  };
}

// Hooks the native SQLite module, because its caller may be a package or part of a bundle.
process.dlopen = (module, ...where) => {
  load.call(process, module, ...where);
  const { prototype } = module.exports.Database ?? {};
  if (typeof prototype?.exec === 'function') prototype.exec = mortal(prototype.exec);
};

if (isMainThread)
  process.on('exit', () => writeFileSync(path.join(notes, 'commits'), String(commits), { mode: 0o600 }));
