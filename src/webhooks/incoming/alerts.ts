import { type Json, listOf, objectOf, textOf, truncateLine } from "./json.ts";
import { escapeMarkdown, formatLink, formatTextLink } from "./markdown.ts";

const MAX_LISTED = 10;

/** Whether this is what Alertmanager (version 4) or Grafana's alerting sends. */
export function isAlerts(payload: Json): boolean {
  return Array.isArray(payload.alerts) && typeof payload.status === "string";
}

/**
 * Formats alerts as Markdown: what fires and what is resolved, each with its summary and links.
 * Alertmanager: "Configuration", `webhook_config`. Grafana: "Configure the webhook notifier".
 */
export function formatAlerts(payload: Json): string {
  // An alert without a status has that of the group.
  const alerts = listOf(payload.alerts).map((alert) => ({ status: payload.status, ...alert }));
  const firingAlerts = alerts.filter(({ status }) => status !== "resolved");
  const isResolved = alerts.length > 0 ? firingAlerts.length === 0 : payload.status === "resolved";
  const count = isResolved ? alerts.length : firingAlerts.length;
  const common = objectOf(payload.commonLabels);
  const name = textOf(common.alertname) || textOf(objectOf(payload.groupLabels).alertname);
  const title = name || textOf(payload.title) || "Alerts";
  const heading = `${isResolved ? "✅" : "🔥"} **${isResolved ? "Resolved" : "Firing"}${count > 1 ? ` (${count})` : ""}: ${formatTextLink(truncateLine(title), payload.externalURL)}**`;
  const lines = alerts.slice(0, MAX_LISTED).map((alert) => formatAlert(alert, isResolved));
  const omittedCount = alerts.length - MAX_LISTED;
  return [heading, ...lines, ...(omittedCount > 0 ? [`and ${omittedCount} more`] : [])].join("\n");
}

function formatAlert(alert: Json, allResolved: boolean): string {
  const annotations = objectOf(alert.annotations);
  const labels = objectOf(alert.labels);
  const summary =
    textOf(annotations.summary) ||
    textOf(annotations.description) ||
    textOf(annotations.message) ||
    formatLabels(labels) ||
    "An alert without labels";
  const source = alert.panelURL || alert.dashboardURL || alert.generatorURL;
  const state = !allResolved && alert.status === "resolved" ? "resolved: " : "";
  const origin = textOf(labels.instance) || textOf(labels.job);
  const place = origin && !summary.includes(origin) ? ` (${escapeMarkdown(origin)})` : "";
  const silence = alert.silenceURL ? ` · ${formatLink("silence", alert.silenceURL)}` : "";
  return `- ${state}${escapeMarkdown(truncateLine(summary))}${place}${source ? ` · ${formatLink("source", source)}` : ""}${silence}`;
}

function formatLabels(labels: Json): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(", ");
}
