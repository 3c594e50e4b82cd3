type Make<Options, Made> = (locale: string, options?: Options) => Made;

/** Intl's objects are dear to make: one is kept for each locale and each wish. */
function kept<Options, Made>(make: Make<Options, Made>): Make<Options, Made> {
  const made = new Map<string, Made>();
  return (locale, options) => {
    const key = locale + JSON.stringify(options);
    const found = made.get(key) ?? make(locale, options);
    made.set(key, found);
    return found;
  };
}

export const numbers = kept((locale, options?: Intl.NumberFormatOptions) => {
  return new Intl.NumberFormat(locale, options);
});
export const dates = kept((locale, options?: Intl.DateTimeFormatOptions) => {
  return new Intl.DateTimeFormat(locale, options);
});
export const plurals = kept((locale, options?: Intl.PluralRulesOptions) => {
  return new Intl.PluralRules(locale, options);
});
export const lists = kept((locale, options?: Intl.ListFormatOptions) => {
  return new Intl.ListFormat(locale, options);
});
export const spans = kept((locale, options?: Intl.RelativeTimeFormatOptions) => {
  return new Intl.RelativeTimeFormat(locale, options);
});
