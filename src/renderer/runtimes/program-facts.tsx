import { type HarnessView, harnessFacts, lacksLogin, mayUseLogin } from '../../contract/harnesses.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CommandLine } from '../parts/command-line.tsx';
import { Fact } from '../parts/fact.tsx';
import { CanaryTest } from './canary-test.tsx';

interface FactsOf {
  readonly view: HarnessView;
  readonly hasWall: boolean;
  /** Where Kennel has a key of each provider. */
  readonly keys: Readonly<Record<string, string>>;
  onTested(): void;
}

/** Facts that a person needs before an installed program runs an agent. */
export function ProgramFacts({ view, hasWall, keys, onTested }: FactsOf) {
  const hasKey = hasOwnKey(keys);
  return (
    <dl className="program-facts">
      <Fact name={t('programs.found')}>
        {view.version === null ? t('programs.unknownVersion') : visibleLine(view.version)}{' '}
        <code className="path">{visibleLine(view.program ?? '')}</code>
      </Fact>
      <Fact name={t('programs.asks')}>
        <CanaryTest view={view} onTested={onTested} />
      </Fact>
      <Fact name={t('programs.mayTouch')}>{touchText(hasWall, mayUseLogin(view) && !hasKey)}</Fact>
      <Fact name={t('programs.costs')}>
        {costText(view, hasKey)}
        {lacksLogin(view) && !hasKey && (
          <CommandLine command={view.loginCommand} label={t('programs.copyLogin')} />
        )}
      </Fact>
      <Fact name={t('programs.licence')}>
        <LicenceText id={view.id} />
      </Fact>
    </dl>
  );
}

const hasOwnKey = (keys: FactsOf['keys']): boolean => (keys.anthropic ?? 'none') !== 'none';

/** A program with its own login reaches the network by itself. */
function touchText(hasWall: boolean, isOpen: boolean): string {
  if (!hasWall) return t('programs.touchesAll');
  return isOpen ? t('programs.touchesFoldersOpen') : t('programs.touchesFolders');
}

function costText(view: HarnessView, hasKey: boolean): string {
  const { login } = view;
  if (!mayUseLogin(view)) return t('programs.costsModel');
  if (hasKey) return t('programs.costsKey');
  if (login === 'yes') return t('programs.costsLogin');
  return login === 'no' ? t('programs.loggedOut') : t('programs.loginUnknown');
}

/** The programs are installs of the person; Kennel contains none of them. */
export function LicenceText({ id }: Pick<HarnessView, 'id'>) {
  const { licence, website, title } = harnessFacts(id);
  return (
    <>
      {licence === null
        ? t('programs.licenceOwn', { title })
        : t('programs.licenceNamed', { title, licence })}{' '}
      <a className="link" href={website} target="_blank" rel="noopener noreferrer">
        {t('programs.website', { title })}
      </a>
    </>
  );
}
