/**
 * Loaded before a program with `--import`: it dies by SIGKILL at the commit of a database that `KENNEL_KILL_AT` names
 * (`3:before`, `3:after`). `KENNEL_KILL_NOTES` is a folder: in it stand how many commits a program made that was let live, and how
 * long the file of its effects was at the last one.
 */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';

const [fatal = '', moment = ''] = (process.env.KENNEL_KILL_AT ?? '').split(':');
const notes = process.env.KENNEL_KILL_NOTES ?? '.';
const exec = Sqlite.prototype.exec;
let commits = 0;

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

Sqlite.prototype.exec = function execOrDie(sql) {
  if (sql !== 'COMMIT') return exec.call(this, sql);
  commits += 1;
  const now = commits === Number(fatal);
  if (now && moment === 'before') die();
  const done = exec.call(this, sql);
  const effects = path.join(process.cwd(), 'effects.log');
  writeFileSync(path.join(notes, 'effects'), String(existsSync(effects) ? statSync(effects).size : 0));
  if (now) die();
  return done;
};

process.on('exit', () => writeFileSync(path.join(notes, 'commits'), String(commits)));
