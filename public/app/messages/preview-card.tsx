import { Image as ImageIcon } from "lucide";
import type { LinkPreview } from "../../../src/wire/models.ts";
import { Icon } from "../parts/icon.tsx";
import { Picture } from "../parts/picture.tsx";

/**
 * The preview of a link. Its image is proxied by our service, so that the other site does not learn
 * who reads. A link to an image shows only its address.
 */
export function PreviewCard({ preview }: { preview: LinkPreview }) {
  const { url, title, description, site_name, image_url, is_image } = preview;
  const host = URL.canParse(url) ? new URL(url).host : url;
  if (is_image) {
    return (
      <a
        class="preview-card flex surface outlined gap-12 image-link"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Icon of={ImageIcon} />
        <span class="grow truncate">
          {decodeURIComponentSafely(url.split("/").at(-1) ?? "") || host}
        </span>
        <span class="muted small">{host}</span>
      </a>
    );
  }
  if (!title && !description) return null;
  return (
    <a
      class="preview-card flex surface outlined gap-12"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
    >
      <span class="grow grid">
        <span class="muted small truncate" dir="auto">
          {site_name ?? host}
        </span>
        {title && (
          <b class="clamp" dir="auto">
            {title}
          </b>
        )}
        {description && (
          <span class="clamp small" dir="auto">
            {description}
          </span>
        )}
      </span>
      {image_url && (
        <span class="picture grid rigid rounded muted">
          <Picture src={image_url}>
            <Icon of={ImageIcon} />
          </Picture>
        </span>
      )}
    </a>
  );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
