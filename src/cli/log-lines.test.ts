import { describe, expect, it } from 'vitest';
import { isAbout, logText, readLogLine } from './log-lines.ts';

const line = (text: string) => readLogLine(text) ?? {};

describe('Log lines', () => {
  it('print as one line, with the fields after the event', () => {
    const text =
      '{"level":"warn","time":"2026-11-21T18:47:13.120Z","event":"agent_config_bad","agent":"guide","line":3,"why":"two words"}';
    expect(logText(line(text))).toBe(
      '2026-11-21 18:47:13.120 warn  agent_config_bad agent=guide line=3 why="two words"',
    );
  });

  it('print no terminal control sequences', () => {
    expect(logText(line('{"event":"x\\u001b[2Jy"}'))).not.toContain('\u001b');
  });

  it('are skipped if incomplete', () => {
    expect(readLogLine('{"level":"in')).toBeNull();
    expect(readLogLine('17')).toBeNull();
  });

  it('belong to an agent by its exact id', () => {
    expect(isAbout(line('{"agent":"guide"}'), 'guide')).toBe(true);
    expect(isAbout(line('{"account":"guide"}'), 'guide')).toBe(true);
    expect(isAbout(line('{"agent":"guide2"}'), 'guide')).toBe(false);
  });
});
