// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_facts.h"
#include "ui/theme/theme.h"

#include <QGraphicsItem>
#include <QVariantAnimation>

#include <memory>

/// The parts of the canvas, in scene coordinates. Each keeps what it shows and paints again only when that changes; it
/// knows nothing of the draft.
namespace sg::ui::items {

double flowWidth(double share); ///< px: 0.2 for each percent, at least 1.6

class Part : public QGraphicsItem
{
public:
    Part(const ThemeContext& context, double z);
    QRectF boundingRect() const override { return bounds_; }

protected:
    const Theme& theme() const { return context_.theme(); }
    void setBounds(const QRectF& bounds);
    /// 1 at 100 %: below kNamesOnly only names are worth their ink, below kShapesOnly only shapes.
    static double detail(const QPainter& p);
    static constexpr double kNamesOnly = 0.5, kShapesOnly = 0.22;

private:
    const ThemeContext& context_;
    QRectF bounds_;
};

class NodePart final : public Part
{
public:
    struct Marks
    {
        bool isSelected = false, hasFocus = false, isDragged = false;
        bool operator==(const Marks&) const = default;
    };
    explicit NodePart(const ThemeContext& context);
    void show(const layout::Node& place, const facts::NodeFacts& facts, const Marks& marks);
    const facts::NodeFacts& facts() const { return facts_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void startSwing();
    void paintCard(QPainter& p) const;
    void paintStripe(QPainter& p) const;
    void paintTier(QPainter& p) const;
    void paintBreaker(QPainter& p) const;
    void paintStation(QPainter& p) const;
    void paintPorts(QPainter& p) const;
    void paintSmall(QPainter& p, bool hasName) const;
    QColor edgeColour() const;

    layout::Node place_;
    facts::NodeFacts facts_;
    Marks marks_;
    bool isShown_ = false;
    std::unique_ptr<QVariantAnimation> swing_;
};

class WayPart final : public Part
{
public:
    explicit WayPart(const ThemeContext& context);
    struct Look
    {
        bool hasFocus = false;
        bool entersSplit = false, leavesSplit = false;
        bool isStubShown = true; ///< the stub behind the last tier
        bool isEmptyChain = false;
        bool operator==(const Look&) const = default;
    };
    void show(const layout::Way& place, const facts::WayFacts& facts, const Look& look);
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintLine(QPainter& p, bool isFine) const;
    void paintArrow(QPainter& p, const QColor& ink, double width) const;
    void paintTags(QPainter& p) const;
    void paintRequest(QPainter& p) const;
    void paintEnd(QPainter& p) const;
    double width() const;
    QColor ink() const;

    layout::Way place_;
    facts::WayFacts facts_;
    Look look_;
};

/// The line from a node up to the busbar.
class AnswerPart final : public Part
{
public:
    explicit AnswerPart(const ThemeContext& context);
    void show(const layout::Node& place, const facts::AnswerFacts& facts, bool isOff);
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    layout::Node place_;
    facts::AnswerFacts facts_;
    bool isOff_ = false;
};

class BusPart final : public Part
{
public:
    struct Piece
    {
        double x = 0;
        double running = 0, own = 0; ///< shares
        bool operator==(const Piece&) const = default;
    };
    explicit BusPart(const ThemeContext& context);
    void show(const QRectF& place, const QString& words, std::vector<Piece> pieces);
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QRectF place_;
    QString words_;
    std::vector<Piece> pieces_;
};

/// Frame of a weighted split and the rail that shares the traffic out.
class SplitPart final : public Part
{
public:
    struct Member
    {
        QPointF in;
        QString share;
        std::optional<double> entered;
        bool operator==(const Member&) const = default;
    };
    explicit SplitPart(const ThemeContext& context);
    void show(const layout::Step& place, std::vector<Member> members);
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    layout::Step place_;
    std::vector<Member> members_;
};

class RoutePart final : public Part
{
public:
    explicit RoutePart(const ThemeContext& context);
    void show(const layout::Route& place);
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    layout::Route place_;
};

/// What shows while something is dragged: marker, ghost and the hint box.
class DragPart final : public Part
{
public:
    struct Picture
    {
        QPointF at;                    ///< the pointer
        double zoom = 1;               ///< below 1 it still shows at full size
        std::optional<QPointF> marker; ///< where it would go in
        QString ghost, ghostWords;     ///< empty: none
        QPointF ghostAt{-108, -40};    ///< px from the pointer; the hint is below it
        facts::DropHint hint;
        bool operator==(const Picture&) const = default;
    };
    explicit DragPart(const ThemeContext& context);
    void show(const Picture& picture); ///< hide() ends it
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    double grow() const { return picture_.zoom < 1 ? 1 / picture_.zoom : 1; }
    QRectF ghostBox() const { return {picture_.ghostAt, QSizeF(138, 58)}; }
    QRectF hintBox() const; ///< as seen from the pointer, before growing
    void paintHint(QPainter& p) const;
    void paintCurve(QPainter& p) const;
    Picture picture_;
};

void paintMarker(QPainter& p, const QPointF& at, const Theme& theme);
/// The card of an endpoint as it hangs on the pointer, 138 × 58.
void paintGhost(QPainter& p, const QRectF& box, const QString& name, const QString& words, const Theme& theme);

} // namespace sg::ui::items
