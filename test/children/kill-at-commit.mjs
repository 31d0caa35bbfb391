/**
 * Loaded before a program with `--import`: it dies by SIGKILL at the commit of a database that `KENNEL_KILL_AT` names
 * (`3:before`, `3:after`), counted in the database file `KENNEL_KILL_DATABASE`, or in all of them. `KENNEL_KILL_NOTES` is a folder:
 * in it stand how many commits were made, and how long the file of effects was at the last one. A file `at` that is laid there
 * names another commit, counted from then on.
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

// The machine code of SQLite itself: what calls it may be a package, or a part of a bundle.
process.dlopen = (module, ...where) => {
  load.call(process, module, ...where);
  const { prototype } = module.exports.Database ?? {};
  if (typeof prototype?.exec === 'function') prototype.exec = mortal(prototype.exec);
};

if (isMainThread)
  process.on('exit', () => writeFileSync(path.join(notes, 'commits'), String(commits), { mode: 0o600 }));
