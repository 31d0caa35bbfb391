import { type ReactNode, useId } from 'react';
import {
  findHarness,
  type HarnessHindrance,
  type HarnessView,
  harnessHindrance,
  lacksLogin,
  sdkHarness,
} from '../../contract/harnesses.ts';
import { isRunnableKind, type RuntimeKind, runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useRead } from '../state/use-read.ts';
import { CanaryTest } from './canary-test.tsx';
import { ContainerFacts, type Containers, hasEngine, imageOf } from './container-facts.tsx';
import { LicenceText, ProgramFacts } from './program-facts.tsx';

export interface Runner {
  readonly kind: RuntimeKind;
  /** The program of kinds that start one; empty for the others. */
  readonly harness: string;
}

export const kennelRunner: Runner = { kind: 'chat-local', harness: '' };

const kindNames: Readonly<Record<RuntimeKind, () => string>> = {
  'chat-local': () => t('runtime.chatLocal'),
  'sdk-local': () => t('runtime.sdkLocal'),
  'cli-local': () => t('runtime.cliLocal'),
  'cli-docker': () => t('runtime.cliDocker'),
};

/** The program or library that runs the agent; `null` if Kennel itself does. */
export function programOf({ kind, harness }: Runner): string | null {
  if (kind === 'sdk-local') return sdkHarness;
  return runtimeKindFacts(kind).usesHarness ? harness : null;
}

/** As the methods take it. */
export const runnerInput = ({ kind, harness }: Runner): { kind?: RuntimeKind; harness?: string } =>
  kind === 'chat-local' ? {} : harness === '' ? { kind } : { kind, harness };

interface ChoiceOf {
  readonly value: Runner;
  /** Where Kennel has a key of each provider. */
  readonly keys: Readonly<Record<string, string>>;
  onChange(runner: Runner): void;
}

/** The question *What runs this agent?*: Kennel itself, or one of the agent programs of this computer. */
export function RuntimeChoice({ value, keys, onChange }: ChoiceOf) {
  const name = useId();
  const { value: found, error, reload } = useRead('harnesses.list');
  const { value: containers, reload: reloadContainers } = useRead('images.list');
  const hasWall = found?.hasWall ?? false;
  const programs = (found?.harnesses ?? []).filter(({ isRunnable }) => isRunnable);
  const program = programOf(value);
  const isListed =
    isRunnableKind(value.kind) && (program === null || programs.some(({ id }) => id === program));
  return (
    <fieldset className="choices runtime-choice">
      <legend>{t('programs.question')}</legend>
      <Option
        name={name}
        title={kindNames['chat-local']()}
        checked={value.kind === 'chat-local'}
        onPick={() => onChange(kennelRunner)}
      >
        {t('programs.kennelMeans')}
      </Option>
      {programs.map((view) => (
        <Program
          key={view.id}
          view={view}
          hasWall={hasWall}
          containers={containers}
          keys={keys}
          name={name}
          value={value}
          onChange={onChange}
          onTested={() => void reload()}
          onMade={reloadContainers}
        />
      ))}
      {found !== null && !isListed && (
        <Option name={name} title={storedTitle(value)} checked onPick={() => undefined}>
          {t('runtime.kindCannotStart')}
        </Option>
      )}
      {found === null && error === null && (
        <p className="soft" role="status">
          {t('programs.looking')}
        </p>
      )}
      <ErrorNote error={error} />
      {found !== null && (
        <button
          type="button"
          className="link runtime-again"
          onClick={() => {
            void reload();
            void reloadContainers();
          }}
        >
          {t('programs.lookAgain')}
        </button>
      )}
    </fieldset>
  );
}

function storedTitle(runner: Runner): string {
  const program = programOf(runner);
  return program === null ? kindNames[runner.kind]() : (findHarness(program)?.title ?? visibleLine(program));
}

interface OptionOf {
  readonly name: string;
  readonly title: string;
  readonly checked: boolean;
  /** Below the option once it is chosen. */
  readonly details?: ReactNode;
  readonly children: ReactNode;
  onPick(): void;
}

function Option({ name, title, checked, details, children, onPick }: OptionOf) {
  const id = useId();
  return (
    <div className="choice">
      <input
        type="radio"
        id={id}
        name={name}
        checked={checked}
        aria-describedby={`${id}-means`}
        onChange={onPick}
      />
      <div className="choice-words">
        <label htmlFor={id}>
          <strong>{title}</strong>
        </label>
        <span id={`${id}-means`}>{children}</span>
        {checked && details}
      </div>
    </div>
  );
}

interface ProgramOf extends ChoiceOf {
  readonly view: HarnessView;
  readonly hasWall: boolean;
  /** `null` until the host answered. */
  readonly containers: Containers | null;
  readonly name: string;
  onTested(): void;
  onMade(): void;
}

function Program({ view, hasWall, containers, keys, name, value, onChange, onTested, onMade }: ProgramOf) {
  const { id, title } = view;
  const why = harnessHindrance(view, hasWall);
  const isChosen = programOf(value) === id;
  const isInside = isChosen && value.kind === 'cli-docker';
  const canContain = hasEngine(containers) && imageOf(containers, id) !== null;
  const needsContainer = canContain && (why === 'missing' || why === 'needsWall');
  // A program that is in use stays chosen, whatever became of it.
  if (why !== null && !isChosen && !needsContainer)
    return <NotOffered view={view} why={why} onTested={onTested} />;
  const runner: Runner = needsContainer ? { kind: 'cli-docker', harness: id } : runnerOf(id);
  const kinds: readonly RuntimeKind[] = [
    ...(why === null ? (['cli-local'] as const) : []),
    ...(canContain || isInside ? (['cli-docker'] as const) : []),
  ];
  const facts =
    why === null ? (
      <ProgramFacts view={view} hasWall={hasWall} keys={keys} onTested={onTested} />
    ) : (
      <Remedy view={view} why={why} onTested={onTested} />
    );
  return (
    <Option
      name={name}
      title={title}
      checked={isChosen}
      onPick={() => onChange(runner)}
      details={
        <>
          {runner.harness !== '' && (
            <PlaceField
              kind={value.kind}
              kinds={kinds}
              onChange={(kind) => onChange({ kind, harness: id })}
            />
          )}
          {isInside ? <ContainerFacts view={view} found={containers} onMade={onMade} /> : facts}
        </>
      }
    >
      {why === null ? shortText(view) : needsContainer ? t('containers.canRun') : whyText(why)}
    </Option>
  );
}

const runnerOf = (id: HarnessView['id']): Runner =>
  id === sdkHarness ? { kind: 'sdk-local', harness: '' } : { kind: 'cli-local', harness: id };

interface PlaceOf {
  readonly kind: RuntimeKind;
  /** Where the program can run. */
  readonly kinds: readonly RuntimeKind[];
  onChange(kind: RuntimeKind): void;
}

/** Hidden while a program can run in one place only. */
function PlaceField({ kind, kinds, onChange }: PlaceOf) {
  if (kinds.length < 2) return null;
  return (
    <ChoiceField
      label={t('runtime.kind')}
      value={kind}
      options={kinds.map((one) => [one, kindNames[one]()] as const)}
      onChange={(next: RuntimeKind) => onChange(next)}
    />
  );
}

const shortText = (view: HarnessView): string =>
  [
    view.version === null ? t('programs.installed') : t('programs.installedAs', { version: view.version }),
    ...(lacksLogin(view) ? [t('programs.notLoggedIn')] : []),
    ...(view.canary === null ? [] : [t('programs.tested')]),
  ].join(' · ');

const whyTexts: Readonly<Record<HarnessHindrance, () => string>> = {
  notYet: () => t('runtime.kindCannotStart'),
  missing: () => t('programs.missing'),
  failedTest: () => t('programs.failedTest'),
  needsWall: () => t('programs.needsWall'),
};
const whyText = (why: HarnessHindrance): string => whyTexts[why]();

interface NotOfferedOf {
  readonly view: HarnessView;
  readonly why: HarnessHindrance;
  onTested(): void;
}

function NotOffered({ view, why, onTested }: NotOfferedOf) {
  return (
    <div className="choice is-only-told">
      <span />
      <div className="choice-words">
        <strong>{view.title}</strong>
        <span>{whyText(why)}</span>
        <Remedy view={view} why={why} onTested={onTested} />
      </div>
    </div>
  );
}

function Remedy({ view, why, onTested }: NotOfferedOf) {
  if (why === 'failedTest') return <CanaryTest view={view} isShort onTested={onTested} />;
  if (why === 'needsWall') return <p className="fine">{t('programs.installBubblewrap')}</p>;
  if (why === 'notYet') return null;
  const { id, title, program, entry, installCommand } = view;
  return (
    <>
      {program !== null && entry === null && <p className="fine">{t('programs.adapterMissing')}</p>}
      <CommandLine command={installCommand} label={t('programs.copyInstall', { title })} />
      <p className="fine">
        <LicenceText id={id} />
      </p>
    </>
  );
}
