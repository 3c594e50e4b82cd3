import { brief, type Json, link, listOf, literal, objectOf, textOf } from "./json.ts";

/** Alerts that are named one by one; how many more there are is said. */
const MOST = 10;

/** What Alertmanager (version 4) and Grafana's alerting send by themselves. */
export function isAlerts(payload: Json): boolean {
  return Array.isArray(payload.alerts) && typeof payload.status === "string";
}

/**
 * What fires and what is over, each with its summary and where to look.
 * Alertmanager: "Configuration", `webhook_config`. Grafana: "Configure the webhook notifier".
 */
export function readAlerts(payload: Json): string {
  const alerts = listOf(payload.alerts);
  const firing = alerts.filter(({ status }) => status !== "resolved");
  const isOver = firing.length === 0;
  const count = isOver ? alerts.length : firing.length;
  const common = objectOf(payload.commonLabels);
  const name = textOf(common.alertname) || textOf(objectOf(payload.groupLabels).alertname);
  const title = name || textOf(payload.title) || "Alerts";
  const head = `${isOver ? "✅" : "🔥"} **${isOver ? "Resolved" : "Firing"}${count > 1 ? ` (${count})` : ""}: ${link(literal(brief(title)), payload.externalURL)}**`;
  const lines = alerts.slice(0, MOST).map((alert) => line(alert, isOver));
  const more = alerts.length - MOST;
  return [head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function line(alert: Json, allOver: boolean): string {
  const notes = objectOf(alert.annotations);
  const labels = objectOf(alert.labels);
  const said =
    textOf(notes.summary) || textOf(notes.description) || textOf(notes.message) || namesOf(labels);
  const source = alert.panelURL || alert.dashboardURL || alert.generatorURL;
  const over = !allOver && alert.status === "resolved" ? "resolved: " : "";
  const where = textOf(labels.instance) || textOf(labels.job);
  const place = where && !said.includes(where) ? ` (${literal(where)})` : "";
  const silence = alert.silenceURL ? ` · ${link("silence", alert.silenceURL)}` : "";
  return `- ${over}${literal(brief(said))}${place}${source ? ` · ${link("source", source)}` : ""}${silence}`;
}

function namesOf(labels: Json): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(", ");
}
