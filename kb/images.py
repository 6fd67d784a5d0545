"""An uploaded image as it may be stored: decoded, checked, and written anew. Pure.

What was uploaded is never served. Writing the pixels anew drops what came with them: where a photo
was taken, an embedded thumbnail of what was cropped away, a script behind the last byte.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from PIL import Image, ImageCms, ImageOps, ImageSequence

from kb.errors import InvalidImage

MAX_BYTES = 10 * 2**20
MAX_PIXELS = 40_000_000
MAX_FRAMES = 200
MAX_ANIMATED_PIXELS = 100_000_000  # of all frames together

MEDIA_TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WEBP": "image/webp",
}
EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}

_WRITTEN_MODES = {
    "PNG": {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"},
    "JPEG": {"L", "RGB"},
    "GIF": {"L", "P", "RGB", "RGBA"},
    "WEBP": {"RGB", "RGBA"},
}
_SAVE_OPTIONS: dict[str, dict[str, Any]] = {
    "PNG": {"optimize": False},
    "JPEG": {"quality": 90, "optimize": True},
    "GIF": {},
    "WEBP": {"quality": 88, "method": 4},
}
_NOT_AN_IMAGE = gettext_lazy("This is no image that can be shown. PNG, JPEG, GIF and WebP can.")


@dataclass(frozen=True, slots=True)
class CleanImage:
    """Of our own writing. ``width`` and ``height`` are as shown: a rotated photo stands upright."""

    content: bytes
    media_type: str
    width: int
    height: int


def clean_image(data: bytes) -> CleanImage:
    """Raises ``InvalidImage`` for anything but a whole PNG, JPEG, GIF or WebP within the limits.

    The format is read from the bytes; what a name or a browser says of it counts for nothing.
    """
    if len(data) > MAX_BYTES:
        raise InvalidImage(_("An image has at most {most} MB.").format(most=MAX_BYTES // 2**20))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our limit is lower
            with Image.open(BytesIO(data), formats=tuple(MEDIA_TYPES)) as image:
                return _rewritten(image)
    except InvalidImage:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except Exception as error:
        # Decoders raise whatever a broken file made them stumble over.
        raise InvalidImage(str(_NOT_AN_IMAGE)) from error


def _rewritten(image: Image.Image) -> CleanImage:
    if image.width * image.height > MAX_PIXELS:
        raise _too_large()
    name = image.format or ""
    frames = _frames(image, name)
    options = dict(_SAVE_OPTIONS[name])
    if len(frames) > 1:
        options |= {
            "save_all": True,
            "append_images": frames[1:],
            "duration": [frame.info.get("duration", 100) for frame in frames],
            "loop": image.info.get("loop", 0),
        }
    # A still's transparent colour belongs to its pixels; everything else that it carries stays out.
    transparency = frames[0].info.get("transparency")
    for frame in frames:
        frame.info.clear()
    if transparency is not None and frames[0].mode in ("P", "L", "RGB") and name in ("PNG", "GIF"):
        options["transparency"] = transparency
    out = BytesIO()
    frames[0].save(out, name, **options)
    return CleanImage(out.getvalue(), MEDIA_TYPES[name], frames[0].width, frames[0].height)


def _frames(image: Image.Image, name: str) -> list[Image.Image]:
    """The pictures that are kept: all of an animation, the default one of an animated PNG."""
    if name not in ("GIF", "WEBP") or not getattr(image, "is_animated", False):
        image.load()
        return [_shown(image, name)]
    frames = []
    for frame in islice(ImageSequence.Iterator(image), MAX_FRAMES + 1):
        frames.append(frame.convert("RGBA"))
        frames[-1].info["duration"] = frame.info.get("duration", 100)
        if (
            len(frames) > MAX_FRAMES
            or len(frames) * image.width * image.height > MAX_ANIMATED_PIXELS
        ):
            raise InvalidImage(_("This animation is too long. A shorter or smaller one works."))
    return frames


def _shown(image: Image.Image, name: str) -> Image.Image:
    """Upright and in sRGB, in a mode that its format can hold."""
    image = ImageOps.exif_transpose(image)
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "RGBA", "L", "CMYK"):
        image = _in_srgb(image, profile)
    if image.mode not in _WRITTEN_MODES[name]:
        has_alpha = name != "JPEG" and image.has_transparency_data
        image = image.convert("RGBA" if has_alpha else "RGB")
    return image.copy()


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Without its profile a wide-gamut photo would look pale. A broken profile is none."""
    mode = "RGBA" if image.mode == "RGBA" else "RGB"
    try:
        shown = ImageCms.profileToProfile(
            image,
            ImageCms.ImageCmsProfile(BytesIO(profile)),
            ImageCms.createProfile("sRGB"),
            outputMode=mode,
        )
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image
    return shown if shown is not None else image


def _too_large() -> InvalidImage:
    return InvalidImage(
        _("An image has at most {most} megapixels.").format(most=MAX_PIXELS // 1_000_000)
    )
