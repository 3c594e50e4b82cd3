// What `bun run build --compile` makes a program of: the service, or with arguments a command.
if (process.argv.length > 2) await import("../cli.ts");
else await import("../src/main.ts");

export {};
