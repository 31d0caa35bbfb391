/**
 * Builds notifications. Names and kinds are always included, message and command texts only if the operator
 * allowed it.
 */

import type { DesktopSettings, NotifyKind } from '../contract/desktop-methods.ts';
import { toVisibleLine } from '../contract/visible-text.ts';
import { t } from '../language/texts.ts';
import type { NotificationEvent } from './notification-events.ts';

export interface Announcement {
  readonly title: string;
  readonly body: string;
  readonly route: string;
  /** The approval that the notification is about, or `null`. */
  readonly answer: NotificationEvent['approval'];
  /** The notification shows the whole question, so that a yes in it counts (T8). */
  readonly isWhole: boolean;
  /** Ids of the approvals, if it reports nothing else. It closes when none of them waits. */
  readonly questions: readonly string[];
}

type Choice = Pick<DesktopSettings, 'notify' | 'notifyText'>;

/** More simultaneous notifications are combined into one. */
const maxBeside = 3;
const maxTitle = 80;
/** Longer than any whole question, which must not be cut. */
const maxBody = 200;

const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Some desktops parse the body as markup. */
const lookAlikes: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆' };

function plain(text: string, max: number): string {
  const line = text
    .replace(control, ' ')
    .replace(/[<>&]/g, (character) => lookAlikes[character] ?? ' ')
    .trim();
  const points = [...line];
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : line;
}

const titles: Readonly<Record<NotifyKind, (who: string) => string>> = {
  approvals: (who) => t('tray.needsAnswer', { who }),
  finished: (who) => t('tray.answered', { who }),
  failed: (who) => t('tray.stopped', { who }),
  mentioned: (who) => t('tray.wrote', { who }),
};

const taskTitles: Partial<Record<NotifyKind, (who: string) => string>> = {
  approvals: (who) => t('tray.taskAsks', { who }),
  finished: (who) => t('tray.taskDone', { who }),
  failed: (who) => t('tray.taskFailed', { who }),
};

const runTitles: Partial<Record<NotifyKind, (who: string) => string>> = {
  finished: (who) => t('tray.runDone', { who }),
  failed: (who) => t('tray.runFailed', { who }),
};
const titlesAbout = { task: taskTitles, run: runTitles } as const;

const without: Readonly<Record<NotifyKind, () => string>> = {
  approvals: () => t('tray.needsAnswerBody'),
  finished: () => t('tray.readBody'),
  failed: () => t('tray.stoppedBody'),
  mentioned: () => t('tray.readBody'),
};

const counts: Readonly<Record<NotifyKind, (count: number) => string>> = {
  approvals: (count) => t('tray.countApprovals', { count }),
  failed: (count) => t('tray.countFailed', { count }),
  finished: (count) => t('tray.countFinished', { count }),
  mentioned: (count) => t('tray.countMentioned', { count }),
};
const order = ['approvals', 'failed', 'finished', 'mentioned'] as const;

function one(happening: NotificationEvent, withText: boolean): Announcement {
  const { kind, who, text, route, approval, about } = happening;
  const whole = withText ? (approval?.whole ?? null) : null;
  // An approval's text must show every character; a message's text is only a preview.
  const said = kind === 'approvals' ? toVisibleLine(text) : text;
  const body = whole ?? (withText && text !== '' ? said : without[kind]());
  const title = (about ? titlesAbout[about][kind] : undefined) ?? titles[kind];
  return {
    title: plain(title(plain(kind === 'approvals' ? toVisibleLine(who) : who, 40)), maxTitle),
    body: plain(body, maxBody),
    route,
    answer: approval,
    isWhole: whole !== null,
    questions: approval ? [approval.id] : [],
  };
}

const questionIds = (all: readonly NotificationEvent[]): readonly string[] =>
  all.flatMap(({ approval }) => (approval ? [approval.id] : []));

function together(all: readonly NotificationEvent[]): Announcement {
  const lines = order.flatMap((kind) => {
    const count = all.filter((happening) => happening.kind === kind).length;
    return count > 0 ? [counts[kind](count)] : [];
  });
  const asking = all.some(({ kind }) => kind === 'approvals');
  // Answered questions must not take other news away.
  const isMixed = all.some(({ approval }) => approval === null);
  return {
    title: t('tray.together', { count: all.length }),
    body: lines.join(', '),
    route: asking ? '#/inbox' : '#/home',
    answer: null,
    isWhole: false,
    questions: isMixed ? [] : questionIds(all),
  };
}

/** Several questions in one notification, which names who asks. */
function questionsTogether(questions: readonly NotificationEvent[]): Announcement {
  const names = [...new Set(questions.map(({ who }) => plain(toVisibleLine(who), 40)))];
  return {
    title: t('tray.questionsWait', { count: questions.length }),
    body: plain(names.join(', '), maxBody),
    route: '#/inbox',
    answer: null,
    isWhole: false,
    questions: questionIds(questions),
  };
}

/** Keeps the order of events and drops the kinds that are switched off. */
export function announceOnDesktop(
  happened: readonly NotificationEvent[],
  choice: Choice,
  isLocked = false,
): Announcement[] {
  const wanted = happened.filter(({ kind }) => choice.notify[kind]);
  // A locked Kennel shows no names, only how many things happened.
  if (isLocked) return wanted.length > 0 ? [together(wanted)] : [];
  const questions = wanted.filter(({ approval }) => approval !== null);
  const others = wanted.filter(({ approval }) => approval === null);
  if (others.length + Math.min(questions.length, 1) > maxBeside) return [together(wanted)];
  const alone = (happening: NotificationEvent): Announcement => one(happening, choice.notifyText);
  if (questions.length < 2) return wanted.map(alone);
  return [questionsTogether(questions), ...others.map(alone)];
}
