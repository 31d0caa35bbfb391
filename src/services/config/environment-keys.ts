/** API keys from the environment, under the variable names of the providers' own tools. */

const names: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  openrouter: ['OPENROUTER_API_KEY'],
};

/** The names of the variables that are set, without their values. */
export const environmentKeyNames = (
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly provider: string; readonly name: string }[] =>
  Object.entries(names).flatMap(([provider, all]) => {
    const name = all.find((one) => env[one]?.trim());
    return name === undefined ? [] : [{ provider, name }];
  });

export function environmentKey(
  provider: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const found = (Object.hasOwn(names, provider) ? (names[provider] ?? []) : []).find((name) =>
    env[name]?.trim(),
  );
  return found === undefined ? null : (env[found]?.trim() ?? null);
}
