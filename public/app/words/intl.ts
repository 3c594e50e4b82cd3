type Create<Options, Format> = (locale: string, options?: Options) => Format;

/** Intl objects are slow to create, so one is cached for each locale and options. */
function cached<Options, Format>(create: Create<Options, Format>): Create<Options, Format> {
  const cache = new Map<string, Format>();
  return (locale, options) => {
    const key = locale + JSON.stringify(options);
    const formatter = cache.get(key) ?? create(locale, options);
    cache.set(key, formatter);
    return formatter;
  };
}

export const getNumberFormat = cached((locale, options?: Intl.NumberFormatOptions) => {
  return new Intl.NumberFormat(locale, options);
});
export const getDateFormat = cached((locale, options?: Intl.DateTimeFormatOptions) => {
  return new Intl.DateTimeFormat(locale, options);
});
export const getPluralRules = cached((locale, options?: Intl.PluralRulesOptions) => {
  return new Intl.PluralRules(locale, options);
});
export const getListFormat = cached((locale, options?: Intl.ListFormatOptions) => {
  return new Intl.ListFormat(locale, options);
});
export const getRelativeTimeFormat = cached((locale, options?: Intl.RelativeTimeFormatOptions) => {
  return new Intl.RelativeTimeFormat(locale, options);
});
